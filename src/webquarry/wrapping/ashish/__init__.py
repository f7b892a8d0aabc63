"""Wrappers as Ashish and Knoblock make them ("Wrapper Generation for Semi-structured Internet Sources", section 2).

A baseline, to the letter: headings by the seven expressions of Table 1 on the raw markup (`scanning`), sections by the
procedure of Figure 2 (`nesting`) from sizes and indentations (`indenting`), a grammar from the first page given
(`structuring`) with distinct names (`numbering`), and a parser made from the grammar (`parsing`), which tells the
section of each heading (`filling`) and gives values their nodes (`places`).

Repairs without which it does not run, or not on other pages than its sample; each is told where it is made:

- The root guard: Figure 2 asks for the parent of the root.  Always there.  (`nesting`)
- Path-qualified names: `note` in two sections is two sections, and a second `note` of one section is `note_2`; the
  grammar of the paper would have one rule for all of them.  Always there.  (`structuring`)
- A bound on depth, for hostile pages.  Always there.  (`nesting`)
- Children optional and in any order, where a parser made by YACC refuses a page that lacks a heading of the sample.
  The default; `is_exact=True` goes without.  (`parsing`)
- `and` for the `or` of Figure 2, or size first and then indentation.  Not the default: `climbs=` chooses.  (`nesting`)
"""

from webquarry.wrapping.ashish.parsing import extract_ashish
from webquarry.wrapping.ashish.structuring import wrap_ashish

__all__ = ["extract_ashish", "wrap_ashish"]
