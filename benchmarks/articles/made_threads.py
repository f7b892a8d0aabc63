"""Make threads of discussions as the systems of forums write them, with what they put around every post."""

# ruff: noqa: E501 - tags of the markup stay whole

from __future__ import annotations

from benchmarks.articles.made_sites import Prose
from benchmarks.articles.page_parts import Make, T, join, links, page


def make_vbulletin_4(prose: Prose) -> str:
    """A thread of vBulletin 4: texts and signatures are both quotations."""

    def post(place: int) -> str:
        return f"""<li class='postbitlegacy postbitim postcontainer old' id='post_{place}'><div class='posthead'><span
          class='postdate old'><span class='date'>03-04-2015, <span class='time'>04:1{place} PM</span></span></span><span
          class='nodecontrols'><a class='postcounter' href='t.php?p={place}'>#{place + 1}</a></span></div><div
          class='postdetails'><div class='userinfo'><div class='username_container'><a class='username offline'
          href='m.php?{place}'><strong>{prose.words(1)}</strong></a></div><span class='usertitle'>Senior Member</span><div
          class='userinfo_extra'><dl class='userstats'><dt>Join Date</dt> <dd>Mar 2009</dd><dt>Location</dt> <dd>The far
          side of the river, where the boats are and the weather is better</dd><dt>Posts</dt> <dd>{prose.number(9, 999)}
          </dd></dl></div></div><div class='postbody'><div class='postrow has_after_content'><h2 class='title icon'>Re:
          {title}</h2><div class='content'><div id='post_message_{place}'><blockquote class='postcontent restore' {T}>
          {prose.sentences(1, 3)}<br><br>{prose.sentences(1, 3)}</blockquote></div></div></div><div
          class='after_content'><blockquote class='signature restore'><div class='signaturecontainer'>
          {prose.words(16)}</div></blockquote></div></div></div><div class='postfoot'><div class='textcontrols'><a
          class='newreply' href='r.php?{place}'>Reply With Quote</a></div></div></li>"""

    title = prose.words(5)
    similar = join(
        lambda _: (
            f"<li class='threadbit'><h2><a href='t.php'>{prose.words(5)}</a></h2><p>By {prose.words(1)} in forum Boats"
            f"</p><div>Replies: {prose.number(1, 40)}</div></li>"
        ),
        4,
    )
    return page(
        title,
        f"""<div class='above_body'><div id='header' class='floatcontainer'><a href='/'>River forums</a></div><div
        id='navbar' class='navbar'><ul>{links(prose, 7)}</ul></div></div><div class='body_wrapper'><div
        id='breadcrumb' class='breadcrumb'><ul class='floatcontainer'>{links(prose, 3)}</ul></div><div
        id='pagetitle'><h1>Thread: <span class='threadtitle'><a href='t.php'>{title}</a></span></h1></div><div
        id='thread_controls'><ul><li><a href='#'>Thread Tools</a></li><li><a href='#'>Display</a></li></ul></div><div
        id='postlist' class='postlist restrain'><ol id='posts' class='posts'>{join(post, 7)}</ol></div><div
        id='similar_threads'><h3>Similar Threads</h3><ol>{similar}</ol></div><div id='forumrules'
        class='options_block'><h4 class='threadinfohead blockhead'>Posting Permissions</h4><ul><li>You <strong>may not
        </strong> post new threads</li><li>You <strong>may not</strong> post attachments, and you may not edit your
        posts either</li></ul></div></div><div id='footer' class='floatcontainer footer'>All times are GMT. Powered by
        vBulletin</div>""",
    )


def make_vbulletin_3(prose: Prose) -> str:
    """A thread of vBulletin 3, laid out in tables, with quotations of other posts."""

    def post(place: int) -> str:
        quote = f"""<div style='margin:20px'><div class='smallfont'>Quote:</div><table width='100%'><tr><td class='alt2'><div>
          Originally Posted by <strong>Ann</strong></div><div style='font-style:italic'>{prose.sentence()}</div></td></tr>
          </table></div>"""
        return f"""<div align='center'><div class='page'><table id='post{place}' class='tborder' width='100%'><tr><td
          class='thead'>05-06-2011, 01:1{place} PM</td><td class='thead' align='right'>#<a href='s.php?p={place}'>
          <strong>{place + 1}</strong></a></td></tr><tr valign='top'><td class='alt2' width='175'><div
          id='postmenu_{place}'><a class='bigusername' href='m.php'>{prose.words(1)}</a></div><div class='smallfont'>
          Registered User</div><div class='smallfont'><div>Join Date: Feb 2006</div><div>Location: Leeds</div><div>Posts:
          {prose.number(9, 999)}</div></div></td><td class='alt1' id='td_post_{place}'><div class='smallfont'><strong>Re:
          {title}</strong></div><hr><div id='post_message_{place}' {T}>{quote if place % 3 == 1 else ""}
          {prose.sentences(1, 4)}</div><div>__________________<br>{prose.words(8)}</div></td></tr><tr><td class='alt2'>
          Ann is offline</td><td class='alt1' align='right'><a href='r.php'>Reply With Quote</a></td></tr></table></div>
          </div>"""

    title = prose.words(5)
    rows = join(
        lambda _: (
            f"<tr><td class='alt1'><a href='t.php'>{prose.words(5)}</a></td><td class='alt2'>{prose.words(1)}</td>"
            f"<td class='alt1'>Boats</td><td class='alt2'>{prose.number(1, 40)}</td><td class='alt1'>05-06-2011</td></tr>"
        ),
        5,
    )
    return page(
        f"{title} - River board",
        f"""<table class='tborder' width='100%'><tr><td class='alt1'><span class='navbar'><a href='/'>River board</a> &gt;
        <a href='/f'>Boats</a></span><div class='navbar'><strong>{title}</strong></div></td><td class='alt2'>User Name
        Password <a href='/r'>Remember Me?</a></td></tr></table><div id='posts'>{join(post, 6)}</div><table
        class='tborder'><thead><tr><td class='tcat' colspan='5'>Similar Threads</td></tr><tr><td class='thead'>Thread
        </td><td class='thead'>Thread Starter</td><td class='thead'>Forum</td><td class='thead'>Replies</td><td
        class='thead'>Last Post</td></tr></thead>{rows}</table><div class='smallfont' align='center'>All times are GMT.
        The time now is 01:12 PM.</div><div class='page' align='center'>Powered by vBulletin. Copyright 2000 - 2011, and
        all that the lawyers of the forum asked for on top of it.</div>""",
    )


def make_smf(prose: Prose) -> str:
    """A topic of SMF 2, whose posts are all in one form."""

    def post(place: int) -> str:
        return f"""<div class='windowbg{"2" if place % 2 else ""}'><span class='topslice'><span></span></span><div
          class='post_wrapper'><div class='poster'><h4><a href='m'>{prose.words(1)}</a></h4><ul class='reset smalltext'
          id='msg_{place}_extra_info'><li class='postgroup'>Full Member</li><li class='postcount'>Posts:
          {prose.number(9, 999)}</li><li class='blurb'>{prose.words(4)}</li></ul></div><div class='postarea'><div
          class='flow_hidden'><div class='keyinfo'><h5 id='subject_{place}'><a href='t#msg{place}'>Re: {title}</a></h5><div
          class='smalltext'>&#171; <strong>Reply #{place} on:</strong> May 06, 2013, 01:12:1{place} PM &#187;</div></div>
          <ul class='reset smalltext quickbuttons'><li class='quote_button'><a href='q'>Quote</a></li></ul></div><div
          class='post'><div class='inner' id='msg_{place}' {T}>{prose.sentences(1, 4)}<br><br>{prose.sentences(1, 2)}</div>
          </div></div><div class='moderatorbar'><div class='smalltext modified'></div><div class='smalltext
          reportlinks'>Logged</div><div class='signature'>{prose.sentence()}</div></div></div></div><hr
          class='post_separator'>"""

    title = prose.words(5)
    return page(
        title,
        f"""<div id='wrapper'><div id='header'><h1 class='forumtitle'><a href='/'>The River</a></h1><div
        id='main_menu'><ul class='dropmenu'>{links(prose, 6)}</ul></div></div><div id='content_section'><div
        id='main_content_section'><div class='navigate_section'><ul>{links(prose, 3)}</ul></div><div id='forumposts'>
        <div class='cat_bar'><h3 class='catbg'><span id='author'>Author</span> Topic: {title} &nbsp;(Read 1204 times)
        </h3></div><p id='whoisviewing' class='smalltext'>0 Members and 1 Guest are viewing this topic.</p><form
        action='q' method='post' id='quickModForm'>{join(post, 7)}</form></div><div class='pagesection'><div
        class='pagelinks'>Pages: [<strong>1</strong>]</div><div class='nextlinks_bottom'><a href='p'>&#171; previous</a>
        <a href='n'>next &#187;</a></div></div></div></div><div id='footer_section'><ul class='reset'><li
        class='copyright'>SMF 2.0 | Simple Machines</li></ul></div></div>""",
    )


def make_mybb(prose: Prose) -> str:
    """A thread of MyBB 1.8 in its default theme."""

    def post(place: int) -> str:
        return f"""<a id='pid{place}'></a><div class='post' id='post_{place}'><div class='post_author'><div
          class='author_information'><strong><span class='largetext'><a href='u'>{prose.words(1)}</a></span></strong><br>
          <span class='smalltext'>Junior Member<br></span></div><div class='author_statistics'>Posts:
          {prose.number(2, 99)}<br>Threads: {prose.number(1, 9)}<br>Joined: Jun 2014<br>Reputation: <strong>0</strong>
          </div></div><div class='post_content'><div class='post_head'><div class='float_right'><strong><a href='t#pid'>
          #{place + 1}</a></strong></div><span class='post_date'>06-05-2014, 01:1{place} PM</span></div><div
          class='post_body scaleimages' id='pid_{place}' {T}>{prose.sentences(1, 3)}<br><br>{prose.sentences(1, 2)}</div>
          <div class='signature scaleimages'>{prose.words(14)}</div><div class='post_meta' id='post_meta_{place}'></div>
          </div><div class='post_controls'><div class='postbit_buttons author_buttons float_left'><a href='f'
          class='postbit_find'><span>Find</span></a></div><div class='postbit_buttons post_management_buttons'><a
          href='r' class='postbit_quote'><span>Reply</span></a></div></div></div>"""

    return page(
        "A thread",
        f"""<div id='container'><div id='header'><div id='logo'><a href='/'>River</a></div><div id='panel'><div
        class='upper'><div class='wrapper'><span class='welcome'>Hello There, Guest! <a href='l'>Login</a> <a href='r'>
        Register</a></span></div></div></div></div><div id='content'><div class='wrapper'><div class='navigation'><a
        href='/'>River</a> &rsaquo; <span class='active'>{prose.words(4)}</span></div><table class='tborder tfixed'><tr>
        <td class='thead'><div class='float_right'><span class='smalltext'><strong><a href='#'>Thread Modes</a></strong>
        </span></div><div><strong>{prose.words(5)}</strong></div></td></tr><tr><td id='posts_container'><div id='posts'>
        {join(post, 6)}</div></td></tr><tr><td class='tfoot'><div><strong>&laquo; <a href='p'>Next Oldest</a> | <a
        href='n'>Next Newest</a> &raquo;</strong></div></td></tr></table><br>Users browsing this thread: 1 Guest(s)
        <div id='footer'><div class='lower'>Powered By MyBB</div></div></div></div></div>""",
    )


def make_invision(prose: Prose) -> str:
    """A topic of Invision Community 4, with an editor for guests below."""

    def post(place: int) -> str:
        return f"""<article id='elComment_{place}' class='cPost ipsBox ipsComment ipsComment_parent ipsClearfix'><aside
          class='ipsComment_author cAuthorPane ipsColumn'><h3 class='ipsType_sectionHead cAuthorPane_author'><strong><a
          href='/p'>{prose.words(1)}</a></strong></h3><ul class='cAuthorPane_info ipsList_reset'><li
          data-role='group'>Members</li><li data-role='stats'><ul class='ipsList_reset'><li>{prose.number(2, 900)} posts
          </li><li>Location: {prose.words(2)}</li></ul></li></ul></aside><div class='ipsColumn ipsColumn_fluid'><div
          class='ipsComment_content ipsType_medium'><div class='ipsComment_meta ipsType_light'><p><a href='/c'
          class='ipsType_blendLinks'>Posted <time datetime='2024-03-05'>March 5, 2024</time></a></p></div><div
          class='cPost_contentWrap'><div data-role='commentContent' class='ipsType_normal ipsType_richText' {T}>
          {prose.paragraphs(1, 3)}</div><div class='ipsItemControls'><ul class='ipsComment_controls ipsList_inline'><li>
          <a href='/q'>Quote</a></li></ul></div></div></div></div></article>"""

    return page(
        "A topic",
        f"""<div id='ipsLayout_header'><header><a href='/'>River people</a></header><nav class='ipsNavBar_primary'><ul>
        {links(prose, 6)}</ul></nav></div><main id='ipsLayout_body' class='ipsLayout_container'><div
        id='ipsLayout_contentArea'><div id='ipsLayout_mainArea'><div class='ipsPageHeader'><h1
        class='ipsType_pageTitle'><span>{prose.words(5)}</span></h1><div>By <a href='/p'>Ann</a>, <time>March 5, 2024
        </time> in <a href='/f'>Boats</a></div></div><div class='ipsPressable'><ul><li>Followers 2</li></ul></div><div
        id='comments' class='cTopicPostFeed ipsClear'><h2 class='ipsType_sectionHead'>6 posts in this topic</h2><div
        data-role='commentFeed'><form action='/c' method='post'>{join(post, 6)}</form></div><div
        class='cTopicPostArea ipsBox' data-role='replyArea'><div class='ipsType_center'><h2>Join the conversation</h2><p
        class='ipsType_light'>You can post now and register later. If you have an account, <a href='/l'>sign in now</a>
        to post with your account. Your post will require moderator approval before it will be visible.</p></div></div>
        </div><div class='ipsResponsive_noFloat'><a href='/f'>Go to topic listing</a></div><div class='ipsWidget'
        data-blockid='recently'><h3 class='ipsWidget_title'>Recently Browsing</h3><div class='ipsWidget_inner'><p>No
        registered users viewing this page.</p></div></div></div></div></main><footer id='ipsLayout_footer'>Powered by
        Invision Community</footer>""",
    )


def make_stack_exchange(prose: Prose) -> str:
    """A question with answers of Stack Exchange."""

    def signature(verb: str) -> str:
        return f"""<div class='d-flex ai-start jc-end mb0 gs16'><div class='flex--item'><div class='js-post-menu pt2'><div
          class='d-flex gs8'><div class='flex--item'><a href='/s'>Share</a></div><div class='flex--item'><a href='/e'>
          Improve this {verb}</a></div></div></div></div><div class='post-signature'><div class='user-info'><div
          class='user-action-time'>{verb}ed <span class='relativetime'>May 6, 2017 at 12:11</span></div><div
          class='user-details'><a href='/u'>{prose.words(1)}</a><div class='-flair'><span class='reputation-score'>
          {prose.number(1, 99)},204</span><span class='badgecount'>7</span></div></div></div></div></div>"""

    def answer(place: int) -> str:
        return f"""<div id='answer-{place}' class='answer js-answer'><div class='post-layout'><div
          class='votecell post-layout--left'><div class='js-voting-container'><button>Up vote</button><div
          class='js-vote-count'>{prose.number(0, 40)}</div><button>Down vote</button></div></div><div
          class='answercell post-layout--right'><div class='s-prose js-post-body' {T}>{prose.paragraphs(1, 3)}<pre
          class='lang-py s-code-block'><code>ferry = boat({place})\nferry.cross()</code></pre></div><div class='mt24'>
          {signature("answer")}</div></div></div></div>"""

    related = join(
        lambda _: (
            f"<div class='spacer js-gps-track'><a href='/q/1'><div class='answer-votes'>{prose.number(1, 40)}</div></a><a "
            f"href='/q/1' class='question-hyperlink'>{prose.words(8)}</a></div>"
        ),
        8,
    )
    return page(
        "A question",
        f"""<header class='s-topbar'><a href='/'>Rivers</a></header><div class='container'><div id='left-sidebar'
        class='left-sidebar'><ol class='nav-links'>{links(prose, 6)}</ol></div><div id='content' class='snippet-hidden'>
        <div class='inner-content'><div id='question-header'><h1 class='fs-headline1'><a href='/q' class='question-hyperlink'>
        {prose.words(7)}</a></h1></div><div class='d-flex fw-wrap'><div>Asked <time>6 years ago</time></div><div>Modified
        <a href='/q'>2 years ago</a></div><div>Viewed 12k times</div></div><div id='mainbar' aria-label='question and
        answers'><div class='question js-question' id='question'><div class='post-layout'><div
        class='votecell post-layout--left'><div class='js-voting-container'><button>Up vote</button><div
        class='js-vote-count'>12</div></div></div><div class='postcell post-layout--right'><div
        class='s-prose js-post-body' {T}>{prose.paragraphs(2, 3)}</div><div class='mt24 mb12'><div
        class='post-taglist'><ul class='list-ls-none'><li><a href='/t' class='post-tag'>boats</a></li><li><a href='/t'
        class='post-tag'>bridges</a></li></ul></div></div>{signature("ask")}</div></div></div><div id='answers'><div
        id='answers-header'><div class='answers-subheader'><h2 class='mb0'>4 Answers</h2><div>Sorted by: <a href='?o'>
        Reset to default</a></div></div></div>{join(answer, 4)}<h2 class='space'>Your Answer</h2><form id='post-form'
        class='js-add-answer-component post-form'><p>Thanks for contributing an answer! Please be sure to answer the
        question, and provide details.</p></form><h2 class='bottom-notice'>Not the answer you're looking for? Browse
        other questions tagged <a href='/t' class='post-tag'>boats</a> or <a href='/ask'>ask your own question</a>.</h2>
        </div></div><div id='sidebar' class='show-votes'><div class='module sidebar-related'><h4>Related</h4><div
        class='related'>{related}</div></div><div id='hot-network-questions'><h4><a href='/h'>Hot Network Questions</a>
        </h4><ul>{links(prose, 8, 9)}</ul></div></div></div></div></div><footer class='site-footer'><p>Site design and
        logo by the company; user contributions licensed</p></footer>""",
    )


def make_nodebb(prose: Prose) -> str:
    """A topic of NodeBB."""

    def post(place: int) -> str:
        return f"""<li component='post' class='posts-item' data-index='{place}'><a component='post/anchor'></a><div
          class='clearfix post-header'><small class='pull-left'><strong><a href='/user/{place}'>{prose.words(1)}</a>
          </strong> <span class='visible-xs-inline-block'><a class='permalink' href='/p'><span class='timeago'>May 6, 2021,
          1:12 PM</span></a> last edited by</span></small></div><br><div class='content' component='post/content' {T}>
          {prose.paragraphs(1, 2)}</div><div class='clearfix post-footer'><div component='post/signature'
          class='post-signature'>{prose.words(12)}</div><small class='pull-right'><span class='post-tools'><a
          component='post/reply' href='#' class='user-select-none'>Reply</a> <a component='post/quote' href='#'>Quote</a>
          </span><span class='votes'><span component='post/vote-count'>{prose.number(0, 9)}</span></span></small></div>
          </li>"""

    topics = join(
        lambda _: (
            f"<li component='category/topic' class='row clearfix category-item'><div class='col-md-6'><h2 class='title'>"
            f"<a href='/topic/1'>{prose.words(5)}</a></h2><small><span>Boats</span> <span>{prose.words(1)}</span></small>"
            f"</div><div class='stats'><span>{prose.number(1, 20)}</span><small>Posts</small></div></li>"
        ),
        5,
    )
    return page(
        "A topic",
        f"""<nav id='menu' class='slideout-menu'>{links(prose, 4)}</nav><main id='panel' class='slideout-panel'><nav
        class='navbar navbar-default' id='header-menu'><ul>{links(prose, 5)}</ul></nav><div class='container'
        id='content'><div class='row'><div class='topic col-lg-12'><div class='topic-header'><h1 component='post/header'>
        <span class='topic-title'>{prose.words(6)}</span></h1><div class='topic-info'><span class='stats'><span>Posts
        </span> <span>6</span></span><span class='stats'><span>Views</span> <span>1.4k</span></span></div></div><ul
        component='topic' class='posts'>{join(post, 6)}</ul><hr><div class='suggested-topics'><h4>Suggested Topics</h4>
        <ul component='category' class='topic-list'>{topics}</ul></div></div></div></div></main>""",
    )


def make_nested_replies(prose: Prose) -> str:
    """A post with replies below replies, as an aggregator of links shows them: forms hold the texts."""

    def reply(depth: int) -> str:
        inner = f"<div class='sitetable listing'>{reply(depth + 1)}{reply(depth + 1)}</div>" if depth < 2 else ""
        return f"""<div class='thing id-t1 noncollapsed comment'><div class='midcol unvoted'></div><div
          class='entry unvoted'><p class='tagline'><a href='#' class='expand'>[-]</a><a href='/u' class='author'>
          {prose.words(1)}</a> <span class='score unvoted'>{prose.number(1, 90)} points</span> <time>3 years ago</time> <a
          href='#' class='numchildren'>(2 children)</a></p><form action='#' class='usertext'><div
          class='usertext-body may-blank-within md-container'><div class='md' {T}>{prose.paragraphs(1, 2)}</div></div>
          </form><ul class='flat-list buttons'><li class='first'><a href='/c' class='bylink'>permalink</a></li><li><a
          href='/e'>embed</a></li><li><a href='/s'>save</a></li></ul></div><div class='child'>{inner}</div></div>"""

    return page(
        "A post : rivers",
        f"""<div id='header'><div id='sr-header-area'><ul class='flat-list'>{links(prose, 9, 1)}</ul></div><span
        class='hover pagename'><a href='/r'>rivers</a></span><ul class='tabmenu'><li class='selected'><a href='/r'>
        comments</a></li></ul></div><div class='side'><div class='spacer'><form id='search'><input></form></div><div
        class='titlebox'><h1 class='hover redditname'><a href='/r'>rivers</a></h1><span class='subscribers'><span
        class='number'>20,412</span> readers</span><div class='usertext-body'><div class='md'><h3>Rules</h3><p>Be kind to
        each other, and post pictures of rivers on Fridays only, please, or the keeper will remove them.</p></div></div>
        </div></div><div class='content' role='main'><div id='siteTable' class='sitetable linklisting'><div
        class='thing id-t3 self link'><div class='midcol'><div class='score'>412</div></div><div class='entry'><p
        class='title'><a class='title' href='/r/1'>{prose.words(8)}</a> <span class='domain'>(self.rivers)</span></p><p
        class='tagline'>submitted <time>3 years ago</time> by <a class='author' href='/u'>ann</a></p><div
        class='expando'><form class='usertext'><div class='usertext-body'><div class='md' {T}>{prose.paragraphs(2, 3)}
        </div></div></form></div><ul class='flat-list buttons'><li class='first'><a href='/c'>21 comments</a></li><li><a
        href='/s'>share</a></li></ul></div></div></div><div class='commentarea'><div class='panestack-title'><span
        class='title'>all 21 comments</span></div><div class='menuarea'><span class='dropdown-title'>sorted by: </span>
        <span class='selected'>best</span></div><div class='sitetable nestedlisting'>{join(lambda _: reply(0), 3)}</div>
        </div></div><div class='footer-parent'><div class='footer rounded'><p>Use of this site constitutes acceptance of
        our User Agreement and Privacy Policy.</p></div></div>""",
    )


def make_generated_thread(prose: Prose) -> str:
    """A thread with generated class names, lists of members beside it, and a box to answer."""

    def post(place: int) -> str:
        return f"""<div class='css-1a'><div class='css-2b'><img alt='' src='a.png'><span class='css-3c'>{prose.words(1)}</span>
          <span class='css-4d'>Level {prose.number(1, 9)}</span><span class='css-5e'>{place + 1} weeks ago</span></div><div
          class='css-6f' {T}><div>{prose.sentences(1, 3)}</div><div>{prose.sentences(1, 2)}</div></div><div
          class='css-7g'><span>{prose.number(0, 30)} likes</span><span role='button'>Reply</span><span role='button'>
          Report this post to the moderators</span></div></div>"""

    members = join(lambda _: f"<div class='css-9i'><a href='/m'>{prose.words(2)}</a><span>212 posts</span></div>", 5)
    return page(
        "A thread | Community",
        f"""<div id='root'><div class='css-0h'><a href='/'>Community</a>{links(prose, 5)}</div><div class='css-8h'><div
        class='css-aa'><h1>{prose.words(6)}</h1><div class='css-ab'>{join(post, 6)}</div><div class='css-ac'><h3>Add your
        answer</h3><p>Only members of the community can answer. Become one in less than a minute, it costs nothing.</p>
        <textarea></textarea><button>Post</button></div></div><div class='css-ad'><h3>About this group</h3><p>A group
        for people who like rivers, the boats on them, and the bridges above both of these.</p><h3>Most active members
        </h3>{members}</div></div><div class='css-ae'>Community guidelines</div></div>""",
    )


THREADS: dict[str, Make] = {
    "forum: vBulletin 4": make_vbulletin_4,
    "forum: vBulletin 3": make_vbulletin_3,
    "forum: SMF": make_smf,
    "forum: MyBB": make_mybb,
    "forum: Invision": make_invision,
    "forum: Stack Exchange": make_stack_exchange,
    "forum: NodeBB": make_nodebb,
    "forum: nested replies": make_nested_replies,
    "forum: generated names": make_generated_thread,
}
