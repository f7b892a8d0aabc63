"""Make pages of many kinds as common publishing systems write them: forums, shops, manuals, listings.

Markup, class names and what surrounds the content follow each system's default theme; words are drawn from a seed. The
content is marked by `data-true`, which means nothing to any reader.
"""

# ruff: noqa: E501 - tags of the markup stay whole

from __future__ import annotations

from benchmarks.articles.made_shops import SHOPS
from benchmarks.articles.made_sites import Prose
from benchmarks.articles.made_texts import TEXTS
from benchmarks.articles.made_threads import THREADS
from benchmarks.articles.page_parts import Make, T, join, json_ld, links, page
from benchmarks.articles.page_templates import load_templates


def make_discourse(prose: Prose) -> str:
    """A topic of Discourse, as it is sent to crawlers."""

    def post(place: int) -> str:
        return f"""<div itemprop='comment' itemscope itemtype='http://schema.org/Comment' id='post_{place}'
          class='topic-body crawler-post'><div class='crawler-post-meta'><span class='creator' itemprop='author'><a
          href='/u/{place}'><span itemprop='name'>{prose.words(1)}</span></a></span><span class='crawler-post-infos'>
          <time class='post-time' datetime='2024-05-01'>May 1, 2024, 3:4{place}pm</time><span itemprop='position'>{place}
          </span></span></div><div class='post' itemprop='text' {T}>{prose.paragraphs(1, 3)}</div><div
          itemprop='interactionStatistic'><span class='post-likes'>{place} Likes</span></div></div>"""

    topics = join(
        lambda _: (
            f"<tr class='topic-list-item'><td class='main-link'><a href='/t/1' class='title'>{prose.words(6)}</a>"
            f"</td><td class='replies'><span>{prose.number(1, 30)}</span></td><td>May 3, 2024</td></tr>"
        ),
        5,
    )
    title = prose.words(6)
    return page(
        f"{title} - Support - River Forum",
        f"""<header><a href='/'>River Forum</a></header><div id='main-outlet' class='wrap' role='main'><div
        id='topic-title'><h1><a href='/t/9'>{title}</a></h1><div class='topic-category'><span class='category-title'>
        <a href='/c/1'>Support</a></span></div></div><div itemscope itemtype='http://schema.org/DiscussionForumPosting'>
        {join(post, 6)}</div><div id='related-topics' class='more-topics__list'><h3>Related topics</h3><table
        class='topic-list'><tr><th>Topic</th><th>Replies</th><th>Activity</th></tr>{topics}</table></div></div><footer
        class='container wrap'><nav class='crawler-nav'><ul><li><a href='/'>Home</a></li><li><a href='/faq'>Guidelines
        </a></li></ul></nav><p class='powered-by-link'>Powered by Discourse, best viewed with JavaScript enabled</p>
        </footer>""",
    )


def make_phpbb(prose: Prose) -> str:
    """A topic of phpBB 3 in prosilver."""

    def post(place: int) -> str:
        quote = (
            f"<blockquote><div><cite>Ann wrote:</cite>{prose.sentence()}</div></blockquote>" if place % 3 == 2 else ""
        )
        return f"""<div id='p{place}' class='post has-profile bg{place % 2 + 1}'><div class='inner'><dl class='postprofile'
          id='profile{place}'><dt class='has-profile-rank no-avatar'><div class='avatar-container'></div><a href='./m'
          class='username'>{prose.words(1)}</a></dt><dd class='profile-rank'>Junior member</dd><dd class='profile-posts'>
          <strong>Posts:</strong> <a href='./s'>{prose.number(3, 900)}</a></dd><dd class='profile-joined'>
          <strong>Joined:</strong> Mon Mar 04, 2019 4:12 pm</dd></dl><div class='postbody'><div id='post_content{place}'>
          <h3 {"class='first'" if not place else ""}><a href='#p{place}'>Re: {title}</a></h3><ul class='post-buttons'>
          <li><a href='./q' class='button'><span>Quote</span></a></li></ul><p class='author'><a class='unread'
          href='./v'><span>Post</span></a> <span class='responsive-hide'>by <strong><a href='./m' class='username'>
          {prose.words(1)}</a></strong> &raquo; </span><time>Mon May 06, 2024 1:0{place} pm</time></p><div
          class='content' {T}>{quote}{prose.sentences(1, 4)}<br><br>{prose.sentences(1, 3)}</div><div class='signature'
          id='sig{place}'>{prose.words(7)}</div></div></div><div class='back2top'><a href='#top' class='top'>Top</a></div>
          </div></div><hr class='divider'>"""

    title = prose.words(5)
    return page(
        f"{title} - River board",
        f"""<div id='wrap' class='wrap'><div id='page-header'><div class='headerbar'><h1>River board</h1><p>A place to
        talk about rivers</p></div><div class='navbar'><ul id='nav-main' class='nav-main linklist'>{links(prose, 6)}
        </ul></div></div><div id='page-body' class='page-body'><h2 class='topic-title'><a href='./v'>{title}</a></h2>
        <div class='action-bar bar-top'><div class='pagination'>9 posts &bull; Page <strong>1</strong> of <strong>1
        </strong></div></div>{join(post, 9)}<div class='action-bar bar-bottom'><div class='dropdown-container'><a
        href='./r' class='button'>Post Reply</a></div></div><div class='action-bar actions-jump'><p class='jumpbox'><a
        href='./f'>Return to &ldquo;Boats&rdquo;</a></p></div><div class='stat-block online-list'><h3>Who is online</h3>
        <p>Users browsing this forum: No registered users and 3 guests who have come here to read in silence</p></div>
        </div><div id='page-footer' class='page-footer'><div class='copyright'>Powered by phpBB Forum Software</div>
        </div></div>""",
        classes="nojs notouch section-viewtopic ltr",
    )


def make_xenforo(prose: Prose) -> str:
    """A thread of XenForo 2."""

    def post(place: int) -> str:
        return f"""<article class='message message--post js-post' data-author='{prose.words(1)}' id='js-post-{place}'><div
          class='message-inner'><div class='message-cell message-cell--user'><section class='message-user'><div
          class='message-userDetails'><h4 class='message-name'><a href='/m' class='username'>{prose.words(1)}</a></h4>
          <h5 class='userTitle message-userTitle'>Well-known member</h5></div><div class='message-userExtras'><dl
          class='pairs pairs--justified'><dt>Joined</dt><dd>Mar 4, 2015</dd></dl><dl class='pairs'><dt>Messages</dt><dd>
          {prose.number(20, 900)}</dd></dl></div></section></div><div class='message-cell message-cell--main'><div
          class='message-main js-quickEditTarget'><header class='message-attribution'><ul
          class='message-attribution-main'><li><a href='#p'><time class='u-dt'>May 6, 2024</time></a></li></ul><ul
          class='message-attribution-opposite'><li><a href='#p'>#{place + 1}</a></li></ul></header><div
          class='message-content js-messageContent'><div class='message-userContent'><article class='message-body'><div
          class='bbWrapper' {T}>{prose.sentences(1, 4)}<br><br>{prose.sentences(1, 2)}</div></article></div></div><footer
          class='message-footer'><div class='reactionsBar'>Ann and {place} others</div></footer></div></div></div>
          </article>"""

    return page(
        f"{prose.words(5)} | Boat talk",
        f"""<div class='p-pageWrapper'><header class='p-header'><a href='/'>Boat talk</a></header><nav class='p-nav'><ul>
        {links(prose, 6)}</ul></nav><div class='p-body'><div class='p-body-inner'><div class='p-body-header'><h1
        class='p-title-value'>{prose.words(5)}</h1><div class='p-description'><ul class='listInline'><li><a href='/m'>
        Ann</a></li><li><time>May 6, 2024</time></li></ul></div></div><div class='p-body-main'><div
        class='p-body-content'><div class='block-container lbContainer'><div class='block-body js-replyNewMessage'>
        {join(post, 7)}</div></div><div class='block'><div class='block-container'><h3 class='block-minorHeader'>
        Similar threads</h3><div class='structItemContainer'>{
            join(
                lambda _: (
                    f"<div class='structItem'><div class='structItem-title'><a href='/t'>{prose.words(6)}</a></div>"
                    f"<div class='structItem-minor'>{prose.words(1)} &middot; May 2, 2024</div></div>"
                ),
                5,
            )
        }</div></div></div></div></div></div></div><footer class='p-footer'>Community platform by XenForo</footer></div>""",
    )


def make_shopify(prose: Prose) -> str:
    """A product in Shopify's theme Dawn."""
    name, about = prose.words(3), prose.sentences(3, 4)
    cards = join(
        lambda _: (
            f"<li class='grid__item'><div class='card-wrapper product-card-wrapper'><div class='card__content'><h3 "
            f"class='card__heading h5'><a href='/products/x' class='full-unstyled-link'>{prose.words(4)}</a></h3><div "
            f"class='price'><span class='price-item'>${prose.number(9, 90)}.00 USD</span></div></div></div></li>"
        ),
        4,
    )
    reviews = join(
        lambda _: (
            f"<div class='spr-review'><h3 class='spr-review-header-title'>{prose.words(3)}</h3><span "
            f"class='spr-review-header-byline'><strong>Ann</strong> on <strong>May 3, 2024</strong></span><p "
            f"class='spr-review-content-body'>{prose.sentences(1, 2)}</p></div>"
        ),
        5,
    )
    return page(
        f"{name} – River Goods",  # noqa: RUF001 - as the theme writes it
        f"""<div class='announcement-bar'><p class='announcement-bar__message'>Free shipping on orders over $50</p></div>
        <header class='header'><a href='/'>River Goods</a><nav class='header__inline-menu'><ul class='list-menu'>
        {links(prose, 6)}</ul></nav></header><main id='MainContent' class='content-for-layout'><section
        class='shopify-section section'><section class='page-width'><div class='product product--large grid'><div
        class='grid__item product__media-wrapper'></div><div class='product__info-wrapper grid__item'><div
        class='product__info-container'><p class='product__text caption-with-letter-spacing'>River Goods</p><div
        class='product__title'><h1>{name}</h1></div><div class='price price--large'><span class='price-item'>$48.00 USD
        </span></div><div class='product__tax caption rte'>Taxes included.</div><variant-radios><fieldset
        class='product-form__input'><legend>Size</legend><label>S</label><label>M</label></fieldset></variant-radios>
        <product-form class='product-form'><form><button class='product-form__submit button'>Add to cart</button></form>
        </product-form><div class='product__description rte quick-add-hidden' {T}><p>{about}</p><ul>{
            join(lambda _: f"<li>{prose.words(7)}</li>", 5)
        }</ul></div><div class='product__accordion accordion'><details><summary><h2 class='h4 accordion__title'
        {T}>Materials</h2></summary><div class='accordion__content rte' {T}><p>{
            prose.sentences(2, 3)
        }</p></div></details>
        </div><share-button class='share-button'><button>Share</button></share-button></div></div></div></section>
        </section><section class='shopify-section section'><product-recommendations class='related-products'><h2
        class='related-products__heading'>You may also like</h2><ul class='grid product-grid'>{cards}</ul>
        </product-recommendations></section><section class='shopify-section'><div id='shopify-product-reviews'><div
        class='spr-container'><h2 class='spr-header-title'>Customer Reviews</h2>{reviews}</div></div></section></main>
        <footer class='footer'><div class='footer-block'><h2>Quick links</h2><ul>{
            links(prose, 5)
        }</ul></div></footer>""",
        json_ld(**{"@type": "Product"}, name=name, description=about, offers={"@type": "Offer", "price": "48.00"}),
    )


def make_woocommerce(prose: Prose) -> str:
    """A product of WooCommerce in the theme Storefront."""
    name = prose.words(3)
    rows = join(lambda _: f"<tr><th>{prose.words(1)}</th><td><p>{prose.words(3)}</p></td></tr>", 6)
    related = join(
        lambda _: (
            f"<li class='product type-product'><a href='/p' class='woocommerce-LoopProduct-link'><h2 "
            f"class='woocommerce-loop-product__title'>{prose.words(3)}</h2><span class='price'>&pound;{prose.number(9, 90)}.00"
            f"</span></a><a href='?add' class='button add_to_cart_button'>Add to basket</a></li>"
        ),
        4,
    )
    reviews = join(
        lambda _: (
            f"<li class='review'><div class='comment_container'><div class='comment-text'><p class='meta'><strong>"
            f"Ann</strong> <time>May 3, 2024</time></p><div class='description'><p>{prose.sentences(1, 2)}</p></div></div>"
            f"</div></li>"
        ),
        3,
    )
    return page(
        f"{name} - Mill Shop",
        f"""<div id='page' class='hfeed site'><header id='masthead' class='site-header'><a href='/'>Mill Shop</a><nav
        id='site-navigation' class='main-navigation'><ul class='menu'>{links(prose, 5)}</ul></nav></header><div
        class='storefront-breadcrumb'><nav class='woocommerce-breadcrumb'><a href='/'>Home</a> / <a href='/c'>Cups</a>
        </nav></div><div id='content' class='site-content'><div id='primary' class='content-area'><main id='main'
        class='site-main'><div class='product type-product'><div class='summary entry-summary'><h1
        class='product_title entry-title'>{name}</h1><p class='price'>&pound;18.00</p><div
        class='woocommerce-product-details__short-description' {T}><p>{prose.sentences(2, 2)}</p></div><form
        class='cart'><button class='single_add_to_cart_button button'>Add to basket</button></form><div
        class='product_meta'><span class='sku_wrapper'>SKU: <span class='sku'>C-11</span></span><span class='posted_in'>
        Category: <a href='/c'>Cups</a></span></div></div><div class='woocommerce-tabs wc-tabs-wrapper'><ul
        class='tabs wc-tabs' role='tablist'><li><a href='#d'>Description</a></li><li><a href='#r'>Reviews (3)</a></li>
        </ul><div class='woocommerce-Tabs-panel' id='tab-description' role='tabpanel' {T}><h2>Description</h2>
        {prose.paragraphs(3, 4)}</div><div class='woocommerce-Tabs-panel' id='tab-additional_information'
        role='tabpanel' {T}><h2>Additional information</h2><table class='shop_attributes'>{rows}</table></div><div
        class='woocommerce-Tabs-panel' id='tab-reviews' role='tabpanel'><div id='reviews' class='woocommerce-Reviews'>
        <h2 class='woocommerce-Reviews-title'>3 reviews for {name}</h2><ol class='commentlist'>{reviews}</ol></div></div>
        </div><section class='related products'><h2>Related products</h2><ul class='products columns-4'>{related}</ul>
        </section></div></main></div></div><footer id='colophon' class='site-footer'>Built with WooCommerce</footer></div>
        """,
    )


def make_sphinx(prose: Prose) -> str:
    """A page of Sphinx in the theme of Read the Docs."""

    def section(place: int) -> str:
        return f"""<section id='s{place}'><h2>{prose.words(3)}<a class='headerlink' href='#s{place}' title='Link'>&para;</a>
          </h2>{prose.paragraphs(1, 3)}<div class='highlight-python notranslate'><div class='highlight'><pre><span
          class='kn'>import</span> river{place}\nriver{place}.open({prose.number(1, 9)})</pre></div></div><dl
          class='py function'><dt class='sig sig-object py' id='f{place}'><span class='sig-name descname'>open_{place}
          </span><span class='sig-paren'>(</span><em class='sig-param'>gate</em><span class='sig-paren'>)</span></dt><dd>
          <p>{prose.sentence()}</p><div class='admonition note'><p class='admonition-title'>Note</p><p>{prose.sentence()}
          </p></div></dd></dl></section>"""

    return page(
        "River tools",
        f"""<div class='wy-grid-for-nav'><nav data-toggle='wy-nav-shift' class='wy-nav-side'><div
        class='wy-side-scroll'><div class='wy-side-nav-search'><a href='/'>river</a></div><div class='wy-menu
        wy-menu-vertical'><p class='caption'><span class='caption-text'>Guide</span></p><ul>{links(prose, 14)}</ul></div>
        </div></nav><section class='wy-nav-content-wrap'><nav class='wy-nav-top'><a href='/'>river</a></nav><div
        class='wy-nav-content'><div class='rst-content'><div role='navigation' aria-label='Page navigation'><ul
        class='wy-breadcrumbs'><li><a href='/'>Home</a></li><li class='wy-breadcrumbs-aside'><a href='/e'>Edit on GitHub
        </a></li></ul><hr></div><div role='main' class='document' itemscope itemtype='http://schema.org/Article'><div
        itemprop='articleBody' {T}><section id='top'><h1>{prose.words(3)}<a class='headerlink' href='#top'>&para;</a></h1>
        {prose.paragraphs(2, 3)}{join(section, 4)}</section></div></div><footer><div
        class='rst-footer-buttons' role='navigation'><a href='n' class='btn btn-neutral'>Next</a></div><div
        role='contentinfo'><p>&copy; Copyright 2024, river authors.</p></div>Built with Sphinx using a theme provided by
        Read the Docs.</footer></div></div></section></div>""",
        classes="wy-body-for-nav",
    )


def make_docusaurus(prose: Prose) -> str:
    """A page of Docusaurus 3."""

    def section(place: int) -> str:
        return f"""<h2 class='anchor anchorWithStickyNavbar_LWe7' id='h{place}'>{prose.words(3)}<a href='#h{place}'
          class='hash-link' aria-label='Direct link'>&#8203;</a></h2>{prose.paragraphs(1, 3)}<div
          class='language-bash codeBlockContainer_Ckt0'><div class='codeBlockContent_biex'><pre tabindex='0'
          class='prism-code language-bash'><code class='codeBlockLines_e6Vv'><span class='token-line'>npm run
          river-{place}</span></code></pre></div></div><div class='theme-admonition alert alert--info'><div
          class='admonitionHeading_Gvgb'>info</div><div class='admonitionContent_BuS1'><p>{prose.sentence()}</p></div>
          </div>"""

    return page(
        "Open a gate | River",
        f"""<div id='__docusaurus'><nav class='navbar navbar--fixed-top'><div class='navbar__inner'>
        {links(prose, 5, 1, "<a class='navbar__item navbar__link' href='/{0}'>{1}</a>")}</div></nav><div
        id='__docusaurus_skipToContent_fallback' class='main-wrapper mainWrapper_z2l0'><div class='docsWrapper_hBAB'><div
        class='docRoot_UBD9'><aside class='theme-doc-sidebar-container'><nav class='menu'><ul
        class='theme-doc-sidebar-menu menu__list'>{links(prose, 15)}</ul></nav></aside><main
        class='docMainContainer_TBSr'><div class='container padding-top--md'><div class='row'><div class='col
        docItemCol_VOVn'><div class='docItemContainer_Djhp'><article><nav class='theme-doc-breadcrumbs'><ul
        class='breadcrumbs'><li class='breadcrumbs__item'><span>Guides</span></li></ul></nav><span
        class='theme-doc-version-badge badge'>Version: 3.1</span><div class='theme-doc-markdown markdown' {T}><header><h1>
        Open a gate</h1></header>{prose.paragraphs(2, 3)}{join(section, 5)}</div><footer
        class='theme-doc-footer'><a href='/e' class='theme-edit-this-page'>Edit this page</a></footer></article><nav
        class='pagination-nav'><a class='pagination-nav__link' href='/n'><div class='pagination-nav__sublabel'>Next</div>
        <div class='pagination-nav__label'>{prose.words(2)}</div></a></nav></div></div><div class='col col--3'><div
        class='tableOfContents_bqdL'><ul class='table-of-contents'>{links(prose, 5)}</ul></div></div></div></div></main>
        </div></div></div><footer class='footer'><div class='footer__copyright'>Copyright 2024 River.</div></footer></div>
        """,
    )


def make_mkdocs(prose: Prose) -> str:
    """A page of MkDocs in the theme Material."""

    def section(place: int) -> str:
        return f"""<h2 id='m{place}'>{prose.words(3)}<a class='headerlink' href='#m{place}'>&para;</a></h2>
          {prose.paragraphs(1, 2)}<div class='highlight'><pre><span></span><code>gate = {place}\nopen(gate)</code></pre>
          </div><details class='tip' open><summary>Tip</summary><p>{
            prose.sentence()
        }</p></details><table><thead><tr><th>
          Option</th><th>Meaning</th></tr></thead><tbody>{
            join(lambda each: f"<tr><td><code>--o{each}</code></td><td>{prose.words(5)}</td></tr>", 4)
        }</tbody></table>"""

    return page(
        "Gates - River",
        f"""<header class='md-header'><nav class='md-header__inner md-grid'><a href='/'>River</a></nav></header><div
        class='md-container'><main class='md-main'><div class='md-main__inner md-grid'><div class='md-sidebar
        md-sidebar--primary'><nav class='md-nav md-nav--primary'><ul class='md-nav__list'>{links(prose, 14)}</ul></nav>
        </div><div class='md-sidebar md-sidebar--secondary'><nav class='md-nav md-nav--secondary'><ul>
        {links(prose, 6)}</ul></nav></div><div class='md-content'><article class='md-content__inner md-typeset' {T}><h1
        id='g'>Gates<a class='headerlink' href='#g'>&para;</a></h1>{prose.paragraphs(2, 3)}{join(section, 4)}</article>
        <aside class='md-source-file'><span class='md-source-file__fact'>May 2, 2024</span></aside></div></div></main>
        <footer class='md-footer'><nav class='md-footer__inner'><a href='/n' class='md-footer__link'>Next</a></nav><div
        class='md-footer-meta'>Made with Material for MkDocs</div></footer></div>""",
    )


def make_gitbook(prose: Prose) -> str:
    """A page of GitBook, whose class names are those of a style framework."""

    def section(_: int) -> str:
        return f"""<h2 class='text-2xl font-semibold leading-snug flex scroll-m-12 max-w-3xl'><div class='flex-1 z-[1]'>
          {prose.words(3)}</div></h2><p class='mx-auto page-full-width:mx-0 max-w-3xl'>{prose.sentences(2, 3)}</p><ul
          class='space-y-2 max-w-3xl'><li class='leading-normal'><p>{prose.words(8)}</p></li><li class='leading-normal'>
          <p>{prose.words(7)}</p></li></ul><div class='hint rounded-md p-4'><p>{prose.sentence()}</p></div>"""

    return page(
        "Gates | River",
        f"""<header id='site-header' class='sticky top-0 z-30'><a href='/'>River</a></header><div
        class='flex flex-col lg:flex-row'><aside class='group/table-of-contents text-sm basis-full'><ul
        class='flex flex-col gap-y-0.5'>{links(prose, 14)}</ul></aside><div class='flex-1 flex flex-row-reverse'><aside
        class='group/aside order-last'><ul>{links(prose, 5)}</ul></aside><main class='relative min-w-0 flex-1 py-8'><div
        {T}><header class='max-w-3xl mx-auto mb-6 space-y-3'><h1 class='text-4xl font-bold'>Gates</h1><p
        class='text-lg text-tint'>{prose.sentence()}</p></header><div class='grid [&amp;>*+*]:mt-5'>{join(section, 5)}
        </div></div><div class='flex flex-col md:flex-row mt-6 gap-2 max-w-3xl'><a href='/p' class='group text-sm p-2.5'>
        <span class='text-xs'>Previous</span><span>{prose.words(2)}</span></a></div><div class='flex text-sm'><p>Last
        updated 3 months ago</p></div><div class='flex'><p>Was this helpful?</p></div></main></div></div>""",
    )


def make_category(prose: Prose) -> str:
    """A category of a shop in Magento's theme Luma, with a text for search engines below."""

    def card(_: int) -> str:
        return f"""<li class='item product product-item' {T}><div class='product-item-info'><div class='product details
          product-item-details'><strong class='product name product-item-name'><a class='product-item-link' href='/p'>
          {prose.words(4)}</a></strong><div class='price-box price-final_price'><span class='price'>
          ${prose.number(9, 99)}.00</span></div><div class='product-item-inner'><div class='actions-primary'><form><button
          class='action tocart primary'>Add to Cart</button></form></div></div></div></div></li>"""

    return page(
        "Jackets - Men",
        f"""<div class='page-wrapper'><header class='page-header'><a class='logo' href='/'>Luma</a></header><div
        class='sections nav-sections'><nav class='navigation'><ul>{links(prose, 8)}</ul></nav></div><main
        id='maincontent' class='page-main'><div class='page-title-wrapper'><h1 class='page-title'>Jackets</h1></div><div
        class='columns'><div class='column main'><div class='toolbar toolbar-products'><p class='toolbar-amount'>Items
        1-12 of 40</p><div class='sorter'><label>Sort By</label></div></div><div class='products wrapper grid
        products-grid'><ol class='products list items product-items'>{join(card, 12)}</ol></div><div
        class='category-description' {T}>{prose.paragraphs(6, 7)}</div></div><div class='sidebar sidebar-main'><div
        class='block filter' id='layered-filter-block'><strong>Shopping Options</strong><dl class='filter-options'><dt>
        Style</dt><dd><ol class='items'>{links(prose, 8)}</ol></dd></dl></div></div></div></main><footer
        class='page-footer'><ul>{links(prose, 6)}</ul></footer></div>""",
    )


def make_blog_index(prose: Prose) -> str:
    """The index of a blog in a theme of WordPress: excerpts of articles."""

    def card(_: int) -> str:
        return f"""<article class='post type-post status-publish hentry' {T}><header class='entry-header'><h2
          class='entry-title'><a href='/a' rel='bookmark'>{prose.words(6)}</a></h2></header><div class='entry-summary'><p>
          {prose.sentences(2, 3)} <a class='more-link' href='/a'>Continue reading</a></p></div></article>"""

    return page(
        "Notes on rivers",
        f"""<div id='page' class='site'><header id='masthead' class='site-header'><h1 class='site-title'><a href='/'>Notes
        </a></h1><nav class='main-navigation'><ul>{links(prose, 5)}</ul></nav></header><div id='content'
        class='site-content'><div id='primary' class='content-area'><main id='main' class='site-main'>{join(card, 8)}
        <nav class='navigation posts-navigation'><a href='/2'>Older posts</a></nav></main></div><aside id='secondary'
        class='widget-area'><section class='widget widget_recent_comments'><h2>Recent comments</h2><ul>{links(prose, 5)}
        </ul></section></aside></div><footer id='colophon' class='site-footer'>Proudly powered by WordPress</footer></div>
        """,
    )


def make_job_list(prose: Prose) -> str:
    """A list of jobs with generated class names: short cards without prose."""

    def card(place: int) -> str:
        return f"""<li class='sc-1xk' {T}><div class='sc-2yb'><a href='/job/{place}' class='sc-3zc'>{prose.words(4)}</a><div
          class='sc-4ad'>{prose.words(2)} Ltd</div><div class='sc-5be'><span>Leeds</span><span>Full time</span><span>
          {prose.number(20, 60)},000 a year</span></div></div></li>"""

    return page(
        "Jobs in Leeds",
        f"""<div id='root'><div class='sc-6cf'><a href='/'>Jobs</a>{links(prose, 5)}</div><div class='sc-7dg'><h1>Jobs in
        Leeds</h1><ul class='sc-8eh'>{join(card, 15)}</ul><div class='sc-9fi'><a href='?p=2'>2</a> <a href='?p=3'>3</a>
        </div></div><div class='sc-0gj'>{links(prose, 8)}</div></div>""",
    )


def make_news(prose: Prose) -> str:
    """An article with a lead, author, related cards and a sign-up among its paragraphs, with generated class names."""
    cards = join(lambda _: f"<div class='c-9'><a href='/a'><h4>{prose.words(6)}</h4></a></div>", 3)
    return page(
        f"{prose.words(6)} | The Record",
        f"""<div class='c-1'><a href='/'>The Record</a><ul>{links(prose, 6)}</ul></div><div class='c-2'><div
        class='c-3'><h1>{prose.words(7)}</h1><div class='c-4' {T}><p>{prose.sentence()}</p></div><div class='c-5'><span>
        By Ann Miller</span><time datetime='2024-05-06'>6 May 2024</time></div></div><div class='c-6'><div {T}>
        {prose.paragraphs(3, 4)}</div><div class='c-7'><h3>Related articles</h3>{cards}</div><div {T}>
        {prose.paragraphs(3, 4)}</div><div class='c-8'><h3>Sign up to our newsletter</h3><p>Get the best stories of the
        week in your inbox every Friday morning, free of charge.</p></div></div><div class='c-0'><h3>About the author</h3>
        <p>Ann Miller writes about rivers and has done so for longer than she would like to admit to anyone.</p></div>
        <div class='c-10'><h3>Comments</h3>{join(lambda _: f"<div><p>{prose.sentences(1, 2)}</p></div>", 4)}</div><div
        class='c-11'><h2>More from The Record</h2>{cards}</div></div><div class='c-12'>Copyright 2024 The Record</div>""",
    )


MADE_PAGES: dict[str, Make] = {
    "forum: Discourse": make_discourse,
    "forum: phpBB": make_phpbb,
    "forum: XenForo": make_xenforo,
    "product: Shopify": make_shopify,
    "product: WooCommerce": make_woocommerce,
    "documentation: Sphinx": make_sphinx,
    "documentation: Docusaurus": make_docusaurus,
    "documentation: MkDocs": make_mkdocs,
    "documentation: GitBook": make_gitbook,
    "listing: Magento": make_category,
    "listing: WordPress": make_blog_index,
    "listing: jobs": make_job_list,
    "article: generated names": make_news,
    **THREADS,
    **SHOPS,
    **TEXTS,
    **load_templates(),
}
