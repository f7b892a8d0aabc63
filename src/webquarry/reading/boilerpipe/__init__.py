"""Articles as Boilerpipe's ArticleExtractor finds them.

The paper is Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM 2010), the
library https://github.com/kohlschutter/boilerpipe.  A page is blocks (`building`), text between tags that part it
(`tags`), each with words, lines (`words`), links, depth and labels (`blocks`).  A recipe of small steps decides which
are content (`recipes`): phrases that end the text (`ending`), the title (`titles`), the paper's rules on words and
links (`rules`), fusing what is near (`fusing`), and the largest piece (`largest`).

Two recipes are known.  `RELEASED` is that of version 1.2, which ports follow and published figures are of; it is the
default.  `LATEST` is that of the sources since: three steps more, and depth in the tree has a say.

Where we differ, and how we read what is not clear:

- The tree is that of the HTML standard or of a browser, not NekoHTML's.  So `br` and other empty elements part blocks.
- Text that the document calls hidden is not there, Boilerpipe has all that stands in the body.
- A block is at the level of its first text, and has the labels of the elements that it stands in.  Boilerpipe gives the
  first block of a page the level of the page's title, and a block that another follows without an end tag between them
  the labels of that one too.
- A link within a link ends as any other.  After one, Boilerpipe takes all words to the end of the page for linked.
- No-break spaces are white space, and white space is folded before texts are compared.  A block of marks alone is a
  block, without words.
- Combining marks part words, as all marks do that are not listed; Boilerpipe does so with some of them.
- The title is looked for as the latest sources do in both recipes: its case, apostrophes and marks do not count, and
  the first block that matches is it.
- A text has score 1 when it is kept and 0 when not, and the reason of the step that decided that last.
"""

from webquarry.reading.boilerpipe.reading import read_boilerpipe
from webquarry.reading.boilerpipe.recipes import LATEST, RELEASED, Step

__all__ = ["LATEST", "RELEASED", "Step", "read_boilerpipe"]
