"""Make products and categories of shops as shop systems write them, with what they sell beside them."""

# ruff: noqa: E501 - tags of the markup stay whole

from __future__ import annotations

from benchmarks.articles.made_sites import Prose
from benchmarks.articles.page_parts import Make, T, join, json_ld, links, page


def _price(prose: Prose) -> str:
    return f"${prose.number(9, 199)}.{prose.number(10, 99)}"


def make_bigcommerce(prose: Prose) -> str:
    """A product in BigCommerce's theme Cornerstone, with tabs."""
    card = (
        "<li class='carousel-item product'><article class='card'><div class='card-body'><p class='card-text'>River</p>"
        "<h4 class='card-title'><a href='/p'>{0}</a></h4><div class='card-text' data-test-info-type='price'><span "
        "class='price price--withoutTax'>{1}</span></div></div></article></li>"
    )
    related = join(lambda _: card.format(prose.words(4), _price(prose)), 5)
    viewed = join(lambda _: card.format(prose.words(4), _price(prose)), 4)
    return page(
        "A boat hook",
        f"""<header class='header'><a href='/'>River</a><nav class='navPages-container'><ul>{links(prose, 6)}</ul></nav></header><div
        class='body'><div class='container'><ul class='breadcrumbs'>{links(prose, 3)}</ul><div><div class='productView'><section
        class='productView-details product-data'><div class='productView-product'><h1 class='productView-title'>{prose.words(3)}</h1><div
        class='productView-price'><span class='price price--withoutTax'>{_price(prose)}</span></div><div class='productView-rating'><span>
        (No reviews yet)</span> <a href='#w'>Write a Review</a></div><dl class='productView-info'><dt class='productView-info-name'>SKU:</dt><dd
        class='productView-info-value'>B-12</dd><dt class='productView-info-name'>Weight:</dt><dd class='productView-info-value'>2.00 LBS</dd>
        </dl></div></section><section class='productView-details product-options'><div class='productView-options'><form><label>Quantity:</label>
        <input type='submit' value='Add to Cart'></form></div></section><article class='productView-description'><ul class='tabs'
        data-tab><li class='tab is-active'><a class='tab-title' href='#d'>Description</a></li><li class='tab'><a class='tab-title' href='#w'>
        Warranty Information</a></li></ul><div class='tabs-contents'><div class='tab-content is-active' id='tab-description' {T}>
        {prose.paragraphs(2, 3)}<ul>{join(lambda _: f"<li>{prose.words(7)}</li>", 5)}</ul></div><div class='tab-content' id='tab-warranty' {T}><p>
        {prose.sentences(2, 2)}</p></div></div></article></div><ul class='tabs' data-tab role='tablist'><li class='tab'><a
        class='tab-title' href='#r'>Related Products</a></li></ul><div class='tabs-contents'><div class='tab-content has-jsContent'
        id='tab-related'><section class='productCarousel'>{related}</section></div><div class='tab-content' id='tab-similar'><section
        class='productCarousel'>{viewed}</section></div></div></div></div></div><footer class='footer'><section class='footer-info'><h3>Subscribe
        to our newsletter</h3><p>Get the latest updates on new products and upcoming sales</p></section></footer>""",
    )


def make_luma(prose: Prose) -> str:
    """A product of Magento 2 in the theme Luma."""
    rows = join(
        lambda _: f"<tr><th class='col label'>{prose.words(2)}</th><td class='col data'>{prose.words(3)}</td></tr>", 6
    )
    cards = join(
        lambda _: (
            f"<li class='item product product-item'><div class='product-item-info related-available'><div class='product details "
            f"product-item-details'><strong class='product name product-item-name'><a class='product-item-link' href='/p'>{prose.words(4)}</a>"
            f"</strong><div class='price-box'><span class='price'>{_price(prose)}</span></div></div></div></li>"
        ),
        4,
    )
    return page(
        "A jacket",
        f"""<div class='page-wrapper'><header class='page-header'><div class='panel header'><ul class='header links'>{
            links(prose, 3)
        }</ul>
        </div></header><div class='nav-sections'><nav class='navigation'><ul>{
            links(prose, 7)
        }</ul></nav></div><div class='breadcrumbs'><ul
        class='items'>{
            links(prose, 3)
        }</ul></div><main id='maincontent' class='page-main'><div class='columns'><div class='column main'><div
        class='product-info-main'><div class='page-title-wrapper product'><h1 class='page-title'><span class='base'>{
            prose.words(3)
        }</span></h1>
        </div><div class='product-reviews-summary'><div class='reviews-actions'><a class='action view' href='#r'>3 Reviews</a> <a href='#a'
        class='action add'>Add Your Review</a></div></div><div class='product-info-price'><span class='price'>{
            _price(prose)
        }</span><div
        class='product-info-stock-sku'><div class='stock available'><span>In stock</span></div><div class='product attribute sku'><strong
        class='type'>SKU</strong> <div class='value'>MJ-01</div></div></div></div><div class='product-add-form'><form><div class='swatch-opt'><span>Size
        </span><div>XS</div><div>S</div><div>M</div></div><button>Add to Cart</button></form></div><div class='product-social-links'><div
        class='product-addto-links'><a href='#' class='action towishlist'>Add to Wish List</a> <a href='#' class='action tocompare'>Add to Compare
        </a></div></div></div><div class='product info detailed'><div class='product data items'><div class='data item title active'><a
        class='data switch' href='#description'>Details</a></div><div class='data item content' id='description' {
            T
        }><div class='product attribute
        description'><div class='value'><p>{prose.sentences(3, 4)}</p><p>&bull; {prose.words(6)}<br>&bull; {
            prose.words(6)
        }<br>&bull;
        {
            prose.words(5)
        }</p></div></div></div><div class='data item title'><a class='data switch' href='#additional'>More Information</a></div><div
        class='data item content' id='additional'><div class='additional-attributes-wrapper table-wrapper' {T}><table
        class='data table additional-attributes'>{
            rows
        }</table></div></div><div class='data item title'><a class='data switch' href='#reviews'>
        Reviews</a></div><div class='data item content' id='reviews'><div class='block review-list'><div class='block-title'><strong>Customer
        Reviews</strong></div><ol class='items review-items'>{
            join(
                lambda _: (
                    f"<li class='item review-item'><div class='review-title'>{prose.words(3)}</div><div class='review-content'>{prose.sentence()}</div><div class='review-details'>Review by Ann, Posted on 5/6/24</div></li>"
                ),
                3,
            )
        }</ol></div></div></div></div><div class='block related'><div class='block-title title'><strong>Related Products</strong></div><div
        class='block-content content'><div class='block-actions'>Check items to add to the cart or <button>select all</button></div><ol
        class='products list items product-items'>{
            cards
        }</ol></div></div><div class='block upsell'><div class='block-title title'><strong>We found
        other products you might like!</strong></div><div class='block-content content'><ol class='products list items product-items'>{
            cards
        }</ol></div>
        </div></div></div></main><footer class='page-footer'><ul class='footer links'>{
            links(prose, 6)
        }</ul></footer></div>""",
    )


def make_prestashop(prose: Prose) -> str:
    """A product of PrestaShop 1.7 in its classic theme: a short text among many other products."""
    cards = join(
        lambda _: (
            f"<article class='product-miniature js-product-miniature'><div class='thumbnail-container'><div class='product-description'><h3 "
            f"class='h3 product-title'><a href='/p'>{prose.words(4)}</a></h3><div class='product-price-and-shipping'><span class='price'>"
            f"{_price(prose)}</span></div></div></div></article>"
        ),
        12,
    )
    return page(
        "A mug",
        f"""<main><header id='header'><nav class='header-nav'>{links(prose, 3)}</nav></header><section id='wrapper'><div class='container'><nav
        class='breadcrumb'><ol>{links(prose, 3)}</ol></nav><div id='content-wrapper'><section id='main'><div class='row product-container'><div
        class='col-md-6'><h1 class='h1'>A mug</h1><div class='product-prices'><div class='current-price'><span>{_price(prose)}</span>
        </div><div class='tax-shipping-delivery-label'>Tax excluded</div></div><div class='product-information'><div
        class='product-description' {T}><p>{prose.sentence()}</p></div><div class='product-actions'><form><div class='product-add-to-cart'><span
        class='control-label'>Quantity</span><button>Add to cart</button></div></form></div><div class='blockreassurance_product'><div><p>Security
        policy (edit with the Customer Reassurance module)</p></div><div><p>Delivery policy (edit with the Customer Reassurance module)</p></div>
        </div><div class='tabs'><ul class='nav nav-tabs'><li class='nav-item'><a class='nav-link' href='#d'>Description</a></li><li
        class='nav-item'><a class='nav-link' href='#p'>Product Details</a></li></ul><div class='tab-content'><div class='tab-pane fade in active'
        id='description' {T}><div class='product-description'><p>{prose.sentences(2, 3)}</p></div></div><div class='tab-pane fade'
        id='product-details'><div class='product-reference'><label class='label'>Reference</label><span>demo_12</span></div></div></div></div></div>
        </div></div><section class='featured-products clearfix mt-3'><h2>16 other products in the same category:</h2><div class='products'>{cards}
        </div></section></section></div></div></section><footer id='footer'><div class='block_newsletter'><p>Get our latest news and special
        sales</p></div></footer></main>""",
        json_ld(**{"@type": "Product"}, name="A mug", offers={"@type": "Offer", "price": "12.00"}),
    )


def make_generated_shop(prose: Prose) -> str:
    """A product with generated class names: accordions that buttons open, services, a look, recommendations."""
    cards = join(
        lambda _: (
            f"<a href='/p' class='x-11'><div class='x-12'>{prose.words(4)}</div><div class='x-13'>{_price(prose)}</div></a>"
        ),
        6,
    )
    return page(
        "A coat",
        f"""<div id='__next'><div class='x-1'><p>Free delivery for members. <a href='/j'>Join us</a></p></div><div class='x-2'><a href='/'>Coats</a>
        {links(prose, 6)}</div><div class='x-3'><div class='x-4'><h1>{prose.words(4)}</h1><div class='x-5'>{_price(prose)}</div><div class='x-6'>
        <span>Color:</span> <span>Dark green</span></div><div class='x-7'><button>S</button><button>M</button></div><button>Add to bag</button><div
        class='x-8'><p>Free returns within 30 days, in any of our shops.</p><p>Pay in 3 rates without interest.</p></div><div><div><button
        aria-expanded='false'>Description</button><div class='x-9' {T}><p>{prose.sentences(3, 3)}</p></div></div><div><button>Materials and care
        </button><div class='x-9' {T}><p>{prose.sentences(2, 2)}</p><ul>{join(lambda _: f"<li>{prose.words(5)}</li>", 4)}</ul></div></div><div>
        <button>Fit</button><div class='x-9' {T}><p>{prose.sentences(1, 2)}</p></div></div></div></div></div><div class='x-10'><h2>Complete the look
        </h2>{cards}</div><div class='x-10'><h2>Recommended for you</h2>{cards}</div><div class='x-14'><h2>Keep in touch</h2><p>Sign up to
        receive news of sales and of new arrivals before everyone else does.</p></div></div>""",
    )


def make_handmade(prose: Prose) -> str:
    """An item of a market for things made by hand: highlights, delivery, reviews and the shop beside it."""
    reviews = join(
        lambda _: (
            f"<li class='review-card'><div class='stars'>5 out of 5 stars</div><p class='wt-text-truncate--multi-line'>{prose.sentences(1, 2)}</p>"
            f"<p><a href='/u'>{prose.words(1)}</a> May 6, 2024</p></li>"
        ),
        4,
    )
    cards = join(
        lambda _: (
            f"<li><a class='listing-link' href='/l'><h3 class='wt-text-caption'>{prose.words(8)}</h3><p class='wt-text-title-01'>{_price(prose)}</p>"
            f"<p>Ad by {prose.words(1)}</p></a></li>"
        ),
        8,
    )
    return page(
        "A river map",
        f"""<header><a href='/'>Market</a><nav>{links(prose, 6)}</nav></header><main id='content'><div class='listing-page-content'><div
        class='body-wrap'><div class='listing-info'><div id='listing-page-cart'><p class='wt-text-title-larger'>{_price(prose)}</p><h1
        class='wt-text-body-01'>{prose.words(9)}</h1><div class='shop-name'><a href='/s'>{prose.words(1)}Maps</a></div><p>In 20+ carts</p></div><div
        id='product_details_content_toggle'><h2>Item details</h2><h3>Highlights</h3><ul class='wt-block-grid' {T}><li>Made by {prose.words(2)}</li>
        <li>Materials: {prose.words(3)}</li></ul><div data-product-details-description-text-content {T}><p>{prose.sentences(3, 4)}<br><br>
        {prose.sentences(2, 3)}</p></div></div><div id='shipping-and-returns-div'><h2>Delivery and return policies</h2><ul><li>Order today to get by
        <strong>May 20-27</strong></li><li>Returns accepted within 14 days</li></ul></div><div class='meet-your-seller'><h2>Meet your seller</h2><p>
        {prose.words(1)}</p><p>Owner of RiverMaps</p><a href='/c'>Message seller</a><p>This seller usually responds within a few hours.</p></div>
        </div></div><div id='reviews'><h2>Reviews for this item (4)</h2><ul>{reviews}</ul></div><div class='recs'><h2>You may also like</h2><ul>
        {cards}</ul></div><div class='tags'><h2>Explore related searches</h2><ul>{links(prose, 8, 3)}</ul></div></div></main><footer><p>Yes! Send me
        exclusive offers, unique gift ideas, and personalised tips for shopping and selling.</p></footer>""",
    )


def make_builder_shop(prose: Prose) -> str:
    """A product that a page builder laid out, with one line of text and two carousels of other products."""
    cards = join(
        lambda _: (
            f"<div class='swiper-slide'><div class='elementor-widget-container'><a href='/product/{prose.number(1, 999)}'>{prose.words(5)}</a><span "
            f"class='woocommerce-Price-amount amount'>{_price(prose)}</span><span>{prose.number(1, 9)}x100m</span><a href='/c'>{prose.words(2)}</a>"
            f"</div></div>"
        ),
        9,
    )
    return page(
        "Ground cover",
        f"""<header data-elementor-type='header' class='elementor'><div class='elementor-nav-menu'><ul>{links(prose, 6)}</ul></div></header><div
        data-elementor-type='product' class='elementor elementor-location-single product type-product'><section class='elementor-section'><div
        class='elementor-widget-woocommerce-product-title'><h1 class='product_title entry-title'>Ground cover</h1></div><div
        class='elementor-widget-woocommerce-product-price'><p class='price'>{_price(prose)}</p></div><div
        class='elementor-widget-woocommerce-product-short-description' {T}><p>{prose.sentence()}</p></div><div
        class='elementor-widget-woocommerce-product-add-to-cart'><form class='cart'><button>Add to cart</button></form></div></section><section
        class='elementor-section'><div class='elementor-widget-heading'><h3>We recommend</h3></div><div class='swiper'>{cards}</div></section><section
        class='elementor-section'><div class='elementor-widget-heading'><h3>New in the shop</h3></div><div class='swiper'>{cards}</div></section></div>
        <footer data-elementor-type='footer'><p>Mill road 4, Riverside</p></footer>""",
        "<meta property='og:type' content='product'>"
        + json_ld(
            **{
                "@graph": [
                    {"@type": "BreadcrumbList"},
                    {"@type": "Product", "name": "Ground cover", "sku": "1", "offers": [{"price": "9"}]},
                ]
            }
        ),
        classes="product-template-default single single-product postid-12",
    )


def make_shopify_collection(prose: Prose) -> str:
    """A collection in Shopify's theme Dawn, with filters and a text above."""

    def card(_: int) -> str:
        return f"""<li class='grid__item'><div class='card-wrapper product-card-wrapper'><div class='card card--standard'><div class='card__content'><div
          class='card__information' {T}><h3 class='card__heading h5'><a href='/products/x' class='full-unstyled-link'>{prose.words(4)}</a></h3></div>
          </div></div><div class='card__content'><div class='card-information'><div class='price' {T}><span class='price-item'>{_price(prose)} USD</span>
          </div></div></div></div></li>"""

    facets = join(
        lambda _: (
            f"<details class='facets__disclosure'><summary><span>{prose.words(1)}</span></summary><ul class='facets__list'>"
            f"{links(prose, 5, 1, '<li><label>{1} ({0})</label></li>')}</ul></details>"
        ),
        3,
    )
    return page(
        "Boats",
        f"""<header class='header'><a href='/'>River Goods</a><nav><ul>{links(prose, 6)}</ul></nav></header><main id='MainContent'><section
        class='shopify-section'><div class='collection-hero'><div class='collection-hero__inner page-width'><h1 class='collection-hero__title'>
        <span class='visually-hidden'>Collection: </span>Boats</h1><div class='collection-hero__description rte' {T}><p>{prose.sentences(2, 2)}</p></div>
        </div></div></section><section class='shopify-section'><div class='facets-container'><form class='facets'>{facets}<div
        class='facet-filters__field'><h2 class='facet-filters__label'>Sort by:</h2></div><div class='product-count'><h2>16 products</h2></div></form></div>
        <div class='product-grid-container'><ul id='product-grid' class='grid product-grid'>{join(card, 16)}</ul><nav class='pagination'><ul>
        {links(prose, 3)}</ul></nav></div></section></main><footer class='footer'><h2>Subscribe to our emails</h2><ul>{links(prose, 5)}</ul></footer>""",
    )


def make_generated_category(prose: Prose) -> str:
    """A category with generated class names, offers among the products, services and a long text below."""

    def card(_: int) -> str:
        return f"""<div class='k-3' {T}><a href='/p/{prose.number(1, 999)}'><span class='k-4'>{prose.words(1)}</span><span class='k-5'>{prose.words(4)}
          </span></a><div class='k-6'>{_price(prose)}</div></div>"""

    services = join(
        lambda _: f"<div class='k-9'><h3>{prose.words(1)}</h3><p>{prose.words(8)}</p><a href='/s'>More</a></div>", 4
    )
    return page(
        "Sofas",
        f"""<div class='k-0'><a href='/'>Home</a>{links(prose, 7)}</div><div class='k-1'><div class='k-11'><a href='/'>Home</a> <a href='/c'>Rooms</a>
        <span>Sofas</span></div><h1>Sofas</h1><div {T}><p>{prose.sentences(2, 3)}</p></div><div class='k-12'><button>Sort</button><button>Size</button>
        <button>All filters</button><span>193 items</span></div><div class='k-2'>{join(card, 8)}<div class='k-7'><h2>Members save 15 percent this week
        </h2><p>Not a member yet? Join today, for free, and save on every sofa until Sunday.</p></div>{join(card, 8)}</div><p>Showing 16 of 193
        items</p><button>Show more</button><div class='k-8'>{services}</div><div {T}><h2>{prose.words(4)}</h2><p>{prose.sentences(3, 4)}</p><h2>
        {prose.words(3)}</h2><p>{prose.sentences(3, 4)}</p></div><div class='k-10'><h2>Recently viewed</h2></div></div><div class='k-13'>
        {links(prose, 12)}</div>""",
    )


def make_search_results(prose: Prose) -> str:
    """Results of a search in a market, with advertisements and filters."""

    def card(place: int) -> str:
        label = "<span class='s-label'>Sponsored</span>" if place % 5 == 0 else ""
        return f"""<div class='s-result-item s-asin' data-index='{place}'><div class='s-card-container'>{label}<div {T}><h2 class='a-size-base-plus'><a
          class='a-link-normal s-line-clamp-4' href='/dp/{place}'>{prose.words(9)}</a></h2><span>4.{place % 10} out of 5 stars</span> <span>
          {prose.number(10, 900)}</span><div class='s-price'><span class='a-price'>{_price(prose)}</span></div><div><span>Delivery <b>Fri, May
          20</b></span></div></div><button>Add to cart</button></div></div>"""

    filters = join(
        lambda _: (
            f"<div class='a-section'><span class='a-text-bold'>{prose.words(1)}</span><ul>{links(prose, 5, 1)}</ul></div>"
        ),
        5,
    )
    return page(
        "Search: boats",
        f"""<header id='navbar-main'><div id='nav-belt'>{links(prose, 4)}</div></header><div id='search'><span class='s-desktop-toolbar'><h2>1-16 of
        over 2,000 results for "boats"</h2><span>Sort by: Featured</span></span><div class='s-matching-dir sg-col'><div class='s-desktop-width-max'><div
        id='s-refinements'>{filters}</div><div class='s-main-slot s-result-list'>{join(card, 16)}<div class='s-widget'><h2>Need help?</h2><p>Visit the
        help section or contact us</p></div></div><div role='navigation' class='s-pagination-container'><span>Previous</span><a href='?p=2'>2</a></div>
        </div></div></div><footer id='navFooter'><ul>{links(prose, 9)}</ul></footer>""",
    )


SHOPS: dict[str, Make] = {
    "product: BigCommerce": make_bigcommerce,
    "product: Magento": make_luma,
    "product: PrestaShop": make_prestashop,
    "product: generated names": make_generated_shop,
    "product: handmade": make_handmade,
    "product: page builder": make_builder_shop,
    "collection: Shopify": make_shopify_collection,
    "collection: generated names": make_generated_category,
    "collection: search results": make_search_results,
}
