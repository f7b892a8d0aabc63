"""Make articles, manuals and pages of services as publishing systems write them, with what they put into the text."""

# ruff: noqa: E501 - tags of the markup stay whole

from __future__ import annotations

from benchmarks.articles.made_sites import Prose
from benchmarks.articles.page_parts import Make, T, join, json_ld, links, page


def make_utility_news(prose: Prose) -> str:
    """A news article in classes of a style framework, with boxes between its paragraphs."""
    cards = join(
        lambda _: (
            f"<div class='flex gap-4 py-3'><a class='font-bold hover:underline' href='/a'>{prose.words(8)}</a><span class='text-xs'>3 min read</span>"
            f"</div>"
        ),
        4,
    )
    return page(
        "News",
        f"""<div class='sticky top-0'><a href='/'>The Mail</a><div class='flex'>{links(prose, 7)}</div></div><div class='max-w-screen-xl mx-auto'><article
        class='mx-auto'><div class='mb-4'><a class='uppercase' href='/s'>{prose.words(1)}</a><h1 class='text-3xl'>{prose.words(8)}</h1><p class='text-lg' {T}>
        {prose.sentence()}</p><ul class='text-sm'><li>By <a href='/w'>Ann Miller</a>, Rivers correspondent</li><li>Published 6 May 2024, 12:11</li></ul></div>
        <div class='flex uppercase'><span>Share</span></div><div class='flex uppercase'><span>Print this page</span></div><div class='prose'><div {T}>
        {prose.paragraphs(2, 3)}</div><div class='border-l-4 p-4'><strong>Read more:</strong> <a href='/a'>{prose.words(9)}</a></div><div {T}>
        {prose.paragraphs(2, 3)}</div><div class='bg-gray-100 p-6'><p class='font-bold'>Our morning letter</p><p>The stories that matter, in your inbox every
        weekday at seven, written by our editors and free.</p><div class='text-xs'>By signing up you agree to our <a href='/t'>terms</a>. You can unsubscribe
        at any time.</div></div><div {T}>{prose.paragraphs(2, 3)}</div></div><div class='mt-8 text-sm'>Topics: {links(prose, 4, 1, "<a href='/t/{0}'>{1}</a> ")}
        </div><div class='mt-8'><p class='font-bold'>Disclaimer:</p><p>The views of the people quoted in this article are their own, and not those of the
        publisher.</p></div></article><div class='mt-10'><p class='text-2xl font-bold'>You might also be interested in</p>{cards}</div></div><div
        class='bg-black'>{links(prose, 9)}<p>Copyright The Mail Ltd</p></div>""",
        json_ld(**{"@type": "NewsArticle"}, headline="News", author={"@type": "Person", "name": "Ann Miller"}),
    )


def make_local_paper(prose: Prose) -> str:
    """An article of a local paper: pictures with captions, an appeal for money, rules for comments, most read beside it."""

    def figure() -> str:
        return f"""<figure class='wp-block-image'><img src='a.jpg' alt='x' width='600' height='400'><figcaption class='wp-element-caption'>{prose.words(9)}
          (Ann Miller/The Paper)</figcaption></figure>"""

    return page(
        "Local",
        f"""<header class='site-header'><a href='/'>The Paper</a><nav>{links(prose, 8)}</nav></header><div class='content-wrap'><main class='story'><h1
        class='headline'>{prose.words(8)}</h1><div class='byline'>by Ann Miller | Staff</div><div class='story-tools'><a href='#'>Facebook</a> <a href='#'>Email
        </a> <a href='#'>Print</a></div><div class='story-text'>{figure()}<div {T}>{prose.paragraphs(3, 4)}</div>{figure()}<div {T}>{prose.paragraphs(3, 4)}</div>
        <div class='support-box'><h4>Local journalism needs you</h4><p>Help us to keep reporting on our town. A small sum every month pays for a reporter.
        <a href='/g'>Give now</a></p></div></div><div class='reporter-bio'><p><em>Ann Miller covers the council and schools. Reach her at ann@paper.example or
        on the telephone.</em></p></div><div class='comment-policy'><p>Comments are open to subscribers only. Keep it clean, avoid obscene language, and be
        truthful, and do not threaten others.</p></div></main><aside class='rail'><h3>Most read</h3><ol>{links(prose, 5, 8)}</ol></aside></div><footer
        class='site-footer'><p>The Paper, Mill road</p></footer>""",
    )


def make_ghost(prose: Prose) -> str:
    """A post of Ghost in the theme Casper: a sign-up card in the text, then posts to read next."""
    cards = join(
        lambda _: (
            f"<article class='post-card post'><div class='post-card-content'><a class='post-card-content-link' href='/p'><header class='post-card-header'><h2 "
            f"class='post-card-title'>{prose.words(6)}</h2></header><div class='post-card-excerpt'>{prose.sentence()}</div></a><footer "
            f"class='post-card-meta'><time>May 6, 2024</time><span>4 min read</span></footer></div></article>"
        ),
        3,
    )
    return page(
        "Post",
        f"""<div class='viewport'><header id='gh-head' class='gh-head outer'><a class='gh-head-logo' href='/'>Notes</a><nav>{links(prose, 4)}</nav></header><div
        class='site-content'><main id='site-main' class='site-main'><article class='article post'><header class='article-header gh-canvas'><div
        class='article-tag post-card-tags'><a href='/t'>Rivers</a></div><h1 class='article-title'>{prose.words(7)}</h1><p class='article-excerpt' {T}>
        {prose.sentence()}</p><div class='article-byline'><section class='article-byline-content'><h4 class='author-name'><a href='/a'>Ann Miller</a></h4><div
        class='byline-meta-content'><time>May 6, 2024</time><span class='byline-reading-time'>6 min read</span></div></section></div></header><section
        class='gh-content gh-canvas'><div {T}>{prose.paragraphs(3, 4)}</div><div class='kg-card kg-signup-card'><h2 class='kg-signup-card-heading'>Sign up for
        Notes</h2><p class='kg-signup-card-subheading'>One letter each week about rivers and the people who live beside them.</p><p
        class='kg-signup-card-disclaimer'>No spam. Unsubscribe anytime.</p></div><div {T}><h2>{prose.words(3)}</h2>{prose.paragraphs(2, 3)}</div></section>
        </article></main><section class='footer-cta outer'><div class='inner'><h2 class='footer-cta-title'>Sign up for more like this.</h2></div></section><aside
        class='read-more-wrap outer'><div class='read-more inner'>{cards}</div></aside></div><footer class='site-footer outer'>Powered by Ghost</footer></div>""",
    )


def make_platform_story(prose: Prose) -> str:
    """A story of a platform for writers: claps, the writer, more stories; generated class names."""
    cards = join(
        lambda _: (
            f"<div class='ab ca'><div><a href='/u'>{prose.words(2)}</a></div><a href='/s'><h2 class='be fl'>{prose.words(7)}</h2><h3 class='be b'>{prose.words(9)}"
            f"</h3></a><div><span>May 6</span><span>A clap icon 412</span></div></div>"
        ),
        4,
    )
    return page(
        "Story",
        f"""<div id='root'><div class='a b c'><div class='d e'><a href='/'>Platform</a><a href='/w'>Write</a><a href='/l'>Sign in</a></div><div class='f'><article><div
        class='g'><div class='h'><section><div><h1 class='pw-post-title'>{prose.words(7)}</h1><h2 class='pw-subtitle-paragraph' {T}>{prose.words(10)}</h2><div
        class='i j'><a href='/u'>Ann Miller</a><span>Follow</span><span>6 min read</span><span>May 6, 2024</span></div><div class='k'><span>412</span><span>7
        </span><span>Listen</span><span>Share</span></div><div {T}>{join(lambda _: f"<p class='pw-post-body-paragraph'>{prose.sentences(1, 3)}</p>", 5)}<h2>
        {prose.words(3)}</h2>{join(lambda _: f"<p class='pw-post-body-paragraph'>{prose.sentences(1, 3)}</p>", 4)}</div></div></section></div></div></article></div>
        <div class='l'><a href='/t'>Rivers</a><a href='/t'>Boats</a></div><div class='m'><span>412</span><span>7</span></div><div class='n'><h2>Written by Ann
        Miller</h2><div>2.1K Followers</div><p>Writes about rivers, boats and the slow life on the water, from a small town in the north.</p><span>Follow</span></div>
        <div class='o'><h2>More from Ann Miller</h2>{cards}</div><div class='o'><h2>Recommended from Platform</h2>{cards}</div><div class='p'>{links(prose, 6, 1)}
        </div></div></div>""",
    )


def make_letter(prose: Prose) -> str:
    """A newsletter on the web: boxes to subscribe within the text, and discussion below it."""
    box = """<div class='subscription-widget-wrap'><div class='subscription-widget show-subscribe'><div class='preamble'><p>River letters is supported by its
      readers. To receive new posts and support my work, consider becoming a free or paid subscriber.</p></div></div></div>"""
    comments = join(
        lambda _: (
            f"<div class='comment'><table class='comment-content'><tr><td><a href='/p'>{prose.words(1)}</a> <a href='/c'>May 6</a><div class='comment-body'><p>"
            f"{prose.sentences(1, 2)}</p></div><div class='comment-actions'>Reply Share</div></td></tr></table></div>"
        ),
        4,
    )
    return page(
        "Letter",
        f"""<div id='entry'><div class='main-menu'><div class='topbar'><h1 class='navbar-title'><a href='/'>River letters</a></h1><div>Subscribe Sign in</div></div>
        </div><div id='main' class='main typography'><div class='single-post-container'><div class='single-post'><article class='newsletter-post post'><div
        class='post-header'><h1 class='post-title published'>{prose.words(6)}</h1><h3 class='subtitle' {T}>{prose.words(9)}</h3><div class='byline-wrapper'><a
        href='/a'>Ann Miller</a><div>May 06, 2024</div></div><div class='post-ufi'>12 3 Share</div></div><div class='available-content'><div
        class='body markup' dir='auto'><div {T}>{prose.paragraphs(3, 4)}</div>{box}<div {T}>{prose.paragraphs(3, 4)}</div>{box}</div></div><div
        class='post-footer'>12 3 Share</div></article></div></div><div class='visibility-check'></div><div id='discussion' class='single-post-section'><h4>
        Discussion about this post</h4><div class='comment-list'>{comments}</div></div><div class='single-post-section'><div class='portable-archive'>
        {join(lambda _: f"<div class='post-preview'><a href='/p'>{prose.words(6)}</a><div>{prose.words(7)}</div><div>May 1 - Ann Miller</div></div>", 3)}</div></div>
        <div class='subscribe-footer'><p>Ready for more?</p></div></div><div class='footer'>2024 Ann Miller. Privacy, Terms, Collection notice</div></div>""",
    )


def make_plugin_blog(prose: Prose) -> str:
    """A post of WordPress with many plugins: contents, share buttons, author box, posts like it, a form."""
    toc = links(prose, 4, 3, "<li class='ez-toc-page-1'><a class='ez-toc-link' href='#s{0}'>{1}</a></li>")
    related = join(
        lambda _: (
            f"<div class='jp-relatedposts-post'><h4><a href='/p'>{prose.words(6)}</a></h4><p>May 6, 2024</p><p>In Boats</p></div>"
        ),
        3,
    )
    return page(
        "Post",
        f"""<div id='page' class='site'><header id='masthead' class='site-header'><a href='/'>Notes</a><nav class='main-navigation'><ul>{links(prose, 5)}</ul></nav>
        </header><div id='content' class='site-content'><main id='primary' class='site-main'><article class='post-1 post type-post hentry'><header
        class='entry-header'><h1 class='entry-title'>{prose.words(7)}</h1><div class='entry-meta'><span class='posted-on'>May 6, 2024</span><span
        class='byline'> by Ann</span></div></header><div class='entry-content'><p {T}>{prose.sentences(2, 2)}</p><div id='ez-toc-container'><p
        class='ez-toc-title'>Table of Contents</p><nav><ul class='ez-toc-list'>{toc}</ul></nav></div><div {T}>
        {join(lambda _: f"<h2>{prose.words(3)}</h2>{prose.paragraphs(2, 2)}", 4)}</div><div class='sharedaddy sd-sharing-enabled'><h3 class='sd-title'>Share
        this:</h3><ul><li><a href='#'>Click to share on Facebook (Opens in new window)</a></li></ul></div><div class='sharedaddy sd-like'><h3
        class='sd-title'>Like this:</h3><div class='likes-widget-placeholder'><span class='button'>Like</span> <span class='loading'>Loading...</span></div></div>
        <div id='jp-relatedposts' class='jp-relatedposts'><h3 class='jp-relatedposts-headline'><em>Related</em></h3>{related}</div></div><div
        class='author-box'><h4>Ann Miller</h4><p>Ann has been writing about rivers since she fell into one at the age of five, and has not stopped.</p></div>
        <footer class='entry-footer'><span class='cat-links'>Posted in <a href='/c'>Boats</a></span></footer></article><nav class='post-navigation'><a href='/p'>
        Previous: {prose.words(5)}</a></nav><div id='comments' class='comments-area'><div id='respond' class='comment-respond'><h3
        class='comment-reply-title'>Leave a Reply</h3><form><p class='comment-notes'>Your email address will not be published. Required fields are marked *</p>
        </form></div></div></main><aside id='secondary' class='widget-area'><section class='widget'><h2>About</h2><p>Notes on rivers by somebody who likes them
        very much indeed.</p></section></aside></div><footer class='site-footer'>Theme by Somebody</footer></div>""",
    )


def make_recipe_blog(prose: Prose) -> str:
    """A recipe below its story, in a card of a plugin, with ratings and comments."""
    return page(
        "Recipe",
        f"""<header class='site-header'><a href='/'>Kitchen</a><nav class='nav-primary'>{links(prose, 5)}</nav></header><div class='site-inner'><main
        class='content'><article class='entry'><header class='entry-header'><h1 class='entry-title'>{prose.words(5)}</h1><p class='entry-meta'>By Ann - Published
        May 6, 2024</p></header><div class='entry-content'><div class='wprm-recipe-snippet'><a href='#r' class='wprm-jump-to-recipe-shortcode'>Jump to Recipe</a>
        <a href='/print' class='wprm-print-recipe-shortcode'>Print Recipe</a></div><p class='disclosure'><em>This post may contain affiliate links. Read my
        disclosure policy.</em></p><div {T}>{prose.paragraphs(3, 4)}<h2>{prose.words(3)}</h2>{prose.paragraphs(1, 2)}</div><div id='wprm-recipe-container-1'
        class='wprm-recipe-container'><div class='wprm-recipe'><h2 class='wprm-recipe-name' {T}>{prose.words(4)}</h2><div
        class='wprm-recipe-rating'>4.98 from 212 votes</div><div class='wprm-recipe-summary' {T}>{prose.sentence()}</div><div
        class='wprm-recipe-ingredients-container' {T}><h3>Ingredients</h3><ul class='wprm-recipe-ingredients'>
        {join(lambda place: f"<li class='wprm-recipe-ingredient'><span>{place + 1}</span> <span>cup</span> <span>{prose.words(2)}</span></li>", 7)}</ul></div><div
        class='wprm-recipe-instructions-container' {T}><h3>Instructions</h3><ul>{join(lambda _: f"<li>{prose.sentence()}</li>", 5)}</ul></div></div></div></div><footer
        class='entry-footer'><p class='entry-meta'>Filed under: <a href='/c'>Soups</a></p></footer></article><div class='adjacent-entry-pagination'><a href='/p'>
        {prose.words(4)}</a></div><div class='entry-comments' id='comments'><h3>Comments</h3><ol class='comment-list'>
        {join(lambda _: f"<li class='comment'><article><header><p class='comment-author'>{prose.words(1)} says</p></header><div class='comment-content'><p>{prose.sentences(1, 2)}</p></div></article></li>", 6)}
        </ol></div></main><aside class='sidebar sidebar-primary'><section class='widget'><h3>Hi, I am Ann</h3><p>Welcome to my kitchen, where I cook what grows
        in the garden and write about it.</p></section></aside></div><footer class='site-footer'><p>Copyright Kitchen</p></footer>""",
        json_ld(
            **{
                "@graph": [
                    {"@type": "WebPage"},
                    {"@type": "Article", "headline": "Recipe"},
                    {"@type": "Recipe", "name": "Recipe"},
                ]
            }
        ),
    )


def make_landing(prose: Prose) -> str:
    """A service that software offers: benefits, customers, prices, questions and a last call, in generated classes."""

    def box(tag: str) -> str:
        return f"<div class='b-4'><{tag}>{prose.words(3)}</{tag}><p>{prose.words(12)}</p></div>"

    plans = join(
        lambda _: (
            f"<div class='b-7'><h3>{prose.words(1)}</h3><div>${prose.number(9, 90)}/month</div><ul>"
            f"{join(lambda _: f'<li>{prose.words(3)}</li>', 4)}</ul></div>"
        ),
        3,
    )
    questions = join(
        lambda _: (
            f"<div class='b-9'><button><h3>{prose.words(5)}?</h3></button><div><p>{prose.sentences(1, 2)}</p></div></div>"
        ),
        4,
    )
    return page(
        "Ferry, the app",
        f"""<div id='__next'><div class='b-0'><p>New: boats in the cloud. <a href='/n'>Read the news</a></p></div><header><a href='/'>Ferry</a><nav>{links(prose, 7)}
        </nav></header><main><section class='b-1' {T}><h1>{prose.words(6)}</h1><p>{prose.sentence()}</p></section><section class='b-2'><p {T}>Trusted by
        4,000 harbours</p></section><section class='b-3' {T}><h2>{prose.words(4)}</h2>{join(lambda _: box("h3"), 6)}</section><section class='b-5' {T}><h2>
        {prose.words(4)}</h2><p>{prose.sentences(2, 3)}</p><ul>{join(lambda _: f"<li>{prose.words(6)}</li>", 4)}</ul></section><section class='b-10' {T}><blockquote>
        {prose.sentence()}</blockquote><p>Ann Miller, Harbour master</p></section><section class='b-6' {T}><h2>Prices</h2>{plans}</section><section class='b-8' {T}>
        <h2>Questions and answers</h2>{questions}</section><section class='b-11'><h2>Ready to cross?</h2><a href='/s' class='btn'>Start free</a></section></main><footer>
        <ul>{links(prose, 12)}</ul><p>Copyright Ferry Inc. All rights reserved.</p></footer></div>""",
    )


def make_clinic(prose: Prose) -> str:
    """A service of a clinic: a form and other services beside the text."""
    return page(
        "Treatment",
        f"""<div class='top-bar'><a href='tel:1'>Call us: 555 0100</a> <span>Mon - Fri 8:00 - 17:00</span></div><header class='header'><a href='/'>Clinic</a><ul
        class='main-menu'>{links(prose, 7)}</ul></header><div class='page-banner'><h1>{prose.words(3)}</h1><div class='crumbs'><a href='/'>Home</a> / Services</div>
        </div><div class='container'><div class='row'><div class='col-lg-8'><div class='service-details' {T}>{prose.paragraphs(2, 3)}<h2>{prose.words(4)}</h2>
        {prose.paragraphs(1, 2)}<ul>{join(lambda _: f"<li>{prose.words(6)}</li>", 5)}</ul><h2>{prose.words(3)}</h2>{prose.paragraphs(2, 2)}</div></div><div
        class='col-lg-4'><div class='service-list'><h4>Our services</h4><ul>{links(prose, 8, 3)}</ul></div><div class='contact-box'><h4>Request an appointment</h4><p>
        Fill in the form and one of us will call you back within a day, or sooner if it hurts.</p><form><label>Name</label><input><button>Send</button></form></div>
        <div class='hours'><h4>Opening hours</h4><p>Monday to Friday from eight to five, and on Saturdays by appointment only.</p></div></div></div></div><section
        class='testimonials'><h2>What our patients say</h2><div class='owl-carousel'>{join(lambda _: f"<div class='item'><p>{prose.sentence()}</p><span>Ann</span></div>", 3)}
        </div></section><section class='cta-area'><h3>Do you have questions?</h3><p>We are happy to answer them on the telephone or by mail, at any time.</p></section>
        <footer class='footer-area'><p>Mill road 4</p><ul>{links(prose, 6)}</ul></footer>""",
    )


def make_government(prose: Prose) -> str:
    """A page of a government: contents above, related content beside, a question about the page below."""
    cookies = """<div id='global-cookie-message' class='gem-c-cookie-banner govuk-cookie-banner' role='region'><h2>Cookies on this site</h2><p>We use some essential
      cookies to make this website work. We would like to set additional cookies to understand how you use it.</p></div>"""
    return page(
        "Apply for a licence",
        f"""{cookies}<a href='#content' class='govuk-skip-link'>Skip to main content</a><header class='gem-c-layout-super-navigation-header'><a href='/'>Government</a>
        <ul>{links(prose, 4)}</ul></header><div id='wrapper' class='govuk-width-container'><div class='gem-c-breadcrumbs govuk-breadcrumbs'><ol>{links(prose, 3)}</ol>
        </div><main role='main' id='content' class='guide'><div class='govuk-grid-row'><div class='govuk-grid-column-two-thirds'><h1
        class='gem-c-heading govuk-heading-xl'>{prose.words(4)}</h1><aside class='part-navigation-container' role='complementary'><nav
        class='gem-c-contents-list'><h2 class='gem-c-contents-list__title'>Contents</h2><ol>{links(prose, 4)}</ol></nav></aside><div class='gem-c-govspeak
        govuk-govspeak' {T}><h2>{prose.words(3)}</h2>{prose.paragraphs(2, 3)}<ul>{join(lambda _: f"<li>{prose.words(7)}</li>", 4)}</ul><div class='call-to-action'><p>
        {prose.sentence()}</p></div><h2>{prose.words(3)}</h2>{prose.paragraphs(2, 2)}</div><nav class='govuk-pagination'><a href='/n'>Next: {prose.words(2)}</a></nav>
        <div class='responsive-bottom-margin'><a href='/p'>View a printable version of the whole guide</a></div></div><div
        class='govuk-grid-column-one-third'><div class='gem-c-contextual-sidebar'><nav class='gem-c-related-navigation'><h2>Related content</h2><ul>
        {links(prose, 5, 4)}</ul></nav></div></div></div></main><div class='gem-c-feedback'><div class='gem-c-feedback__prompt'><h2>Is this page useful?</h2><button>
        Yes this page is useful</button></div><div class='gem-c-feedback__form'><h2>Help us improve</h2><p>To help us improve, we would like to know more about your
        visit today. Please fill in this survey.</p></div></div></div><footer class='govuk-footer'>All content is available under the licence</footer>""",
    )


def make_help_centre(prose: Prose) -> str:
    """An article of a help centre: votes, related articles, what was viewed, comments."""
    return page(
        "Help",
        f"""<header class='header'><a href='/'>Ferry help</a></header><main role='main'><div class='container-divider'></div><div class='container'><div
        class='sub-nav'><ol class='breadcrumbs'>{links(prose, 3)}</ol><div class='search-container'><form role='search'><input></form></div></div><div
        class='article-container' id='article-container'><aside class='article-sidebar'><div class='collapsible-sidebar'><div
        class='collapsible-sidebar-title sidenav-title'>Articles in this section</div><ul>{links(prose, 8, 5)}</ul></div></aside><article id='main-content'
        class='article'><header class='article-header'><h1 class='article-title'>{prose.words(6)}</h1><div class='article-author'><div class='article-meta'><a
        href='/p'>Ann</a><div class='meta-group'><span class='meta-data'>Updated <time>May 06, 2024</time></span></div></div></div><div
        class='article-subscribe'>Follow</div></header><section class='article-info'><div class='article-content'><div class='article-body' {T}>
        {prose.paragraphs(2, 3)}<h2>{prose.words(3)}</h2><ol>{join(lambda _: f"<li>{prose.sentence()}</li>", 5)}</ol></div><div class='article-attachments'></div></div>
        </section><footer><div class='article-footer'><div class='article-share'>Facebook Twitter</div></div><div class='article-votes'><span
        class='article-votes-question'>Was this article helpful?</span><div class='article-votes-controls'><button>Yes</button></div><small
        class='article-votes-count'><span>212 out of 401 found this helpful</span></small></div><div class='article-more-questions'>Have more questions? <a href='/r'>
        Submit a request</a></div></footer><div class='article-relatives'><section class='related-articles'><h2 class='related-articles-title'>Related articles</h2>
        <ul>{links(prose, 5, 5)}</ul></section></div><div class='article-comments' id='article-comments'><section class='comments'><header
        class='comment-overview'><h2 class='comment-heading'>Comments</h2><p class='comment-callout'>3 comments</p></header><ul class='comment-list'>
        {join(lambda _: f"<li class='comment'><div class='comment-author'>{prose.words(1)}</div><section class='comment-body'><p>{prose.sentences(1, 2)}</p></section></li>", 3)}
        </ul><p class='comment-callout'>Please sign in to leave a comment.</p></section></div></article></div></div></main><footer class='footer'>Ferry</footer>""",
    )


def make_generated_manual(prose: Prose) -> str:
    """A manual in classes of a style framework: side bars without landmarks, a question and links below."""

    def section(_: int) -> str:
        return f"""<h2 class='font-semibold text-2xl'>{prose.words(3)}</h2>{prose.paragraphs(1, 3)}<div class='relative rounded'><div class='flex'><span>bash</span><div>
          Copy</div></div><pre><code>ferry cross --boats {prose.number(1, 9)}</code></pre></div>"""

    return page(
        "Manual",
        f"""<div class='fixed top-0 z-20'><a href='/'>Ferry</a><div>{links(prose, 4)}</div></div><div class='flex max-w-8xl'><div class='hidden lg:block w-64'>
        {join(lambda _: f"<div><h5>{prose.words(2)}</h5><ul>{links(prose, 6)}</ul></div>", 4)}</div><div class='grow px-8'><div class='text-sm'>Guides</div><h1>
        {prose.words(4)}</h1><div {T}><p class='text-lg'>{prose.sentence()}</p>{join(section, 5)}</div><div class='flex mt-8'><p>Was this page helpful?</p><div>Yes
        </div><div>No</div></div><div class='flex'><a href='/e'>Suggest edits</a><a href='/i'>Raise issue</a></div><div class='flex justify-between'><a href='/p'>
        {prose.words(2)}</a><a href='/n'>{prose.words(2)}</a></div><div class='text-xs'><p>Need more help? Ask our community or write to the support team at any time
        of the day.</p></div></div><div class='hidden xl:block w-56'><div>On this page</div><ul>{links(prose, 5)}</ul></div></div>""",
    )


def make_wiki(prose: Prose) -> str:
    """An article of MediaWiki: contents, marks to edit, facts in a box, references, navigation below."""

    def section(place: int) -> str:
        return f"""<div class='mw-heading mw-heading2'><h2 id='S{place}'>{prose.words(2)}</h2><span class='mw-editsection'><span>[</span><a href='/e'><span>edit</span></a>
          <span>]</span></span></div><div {T}>{join(lambda _: f"<p>{prose.sentences(2, 3)} <a href='/w'>{prose.words(1)}</a> {prose.sentence()}<sup class='reference'><a href='#c{place}'>[{place}]</a></sup></p>", 3)}
          </div>"""

    toc = links(
        prose,
        4,
        2,
        "<li class='toclevel-1'><a href='#S{0}'><span class='tocnumber'>1</span> <span class='toctext'>{1}</span></a></li>",
    )
    return page(
        "Ferry - Wiki",
        f"""<div id='mw-page-base'></div><div id='content' class='mw-body' role='main'><h1 id='firstHeading' class='firstHeading'>{prose.words(2)}</h1><div
        id='bodyContent' class='vector-body'><div id='siteSub' class='noprint'>From the wiki, the encyclopedia about rivers</div><div id='mw-content-text'
        class='mw-body-content'><div class='mw-content-ltr mw-parser-output'><table class='infobox vcard'><tbody>{join(lambda _: f"<tr><th>{prose.words(1)}</th><td>{prose.words(2)}</td></tr>", 5)}
        </tbody></table><div {T}>{prose.paragraphs(2, 3)}</div><div id='toc' class='toc' role='navigation'><h2>Contents</h2><ul>{toc}</ul></div>{join(section, 4)}<div
        class='mw-heading mw-heading2'><h2 id='See_also'>See also</h2></div><ul>{links(prose, 4)}</ul><div class='mw-heading mw-heading2'><h2 id='References'>References
        </h2></div><div class='reflist'><ol class='references'>{join(lambda place: f"<li id='c{place}'><a href='#r{place}'>^</a> <cite><a href='/x'>{prose.words(7)}</a>. Retrieved 6 May 2024.</cite></li>", 5)}
        </ol></div><div role='navigation' class='navbox'><table><tr><th>Rivers</th><td>{links(prose, 12)}</td></tr></table></div></div></div><div id='catlinks'
        class='catlinks'>Categories: {links(prose, 4)}</div></div></div><div id='mw-navigation'><div id='mw-panel'>{links(prose, 9)}</div></div><footer id='footer'
        class='mw-footer'><ul><li>This page was last edited on 6 May 2024, at 12:11.</li><li>Text is available under the licence; additional terms may apply.</li></ul>
        </footer>""",
    )


TEXTS: dict[str, Make] = {
    "article: style framework": make_utility_news,
    "article: local paper": make_local_paper,
    "article: Ghost": make_ghost,
    "article: platform": make_platform_story,
    "article: newsletter": make_letter,
    "article: plugins": make_plugin_blog,
    "article: recipe": make_recipe_blog,
    "article: wiki": make_wiki,
    "service: landing page": make_landing,
    "service: clinic": make_clinic,
    "service: government": make_government,
    "documentation: help centre": make_help_centre,
    "documentation: style framework": make_generated_manual,
}
