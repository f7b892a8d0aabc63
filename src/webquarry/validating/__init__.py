"""Validating: what looks wrong in an extraction, by how it looks on the page beside the rest, and why.

All starts from selections (`selecting.py`): of what our stages give, or of the files of any system (`extractions/`),
whose addresses are found again on the tree at hand by `mapping.py`, with `paths.py` and `spans.py`.

- The vote of the pages of a site: `sites.py` and `grouping.py` tell which pages are of one, `classes.py` which texts
  stand and look alike on them, `ballots.py` what a page says, `tallying.py` and `counting.py` what all say, `framing.py`
  where the content is, `voting.py` what decides, `elections.py` for all sites of a run, and `telling.py` why.
- Values of records among those of their column: `columns.py`, by what `traits/` compare, `surprise.py` weighs,
  `whole_records.py` sets aside and `gaps.py` finds in the place of another.
- The paper's vectors and scores: `styles.py` gathers the styles of nodes, `vectors.py` makes numbers of them (with
  `css_values.py`, `lengths.py`, `percentages.py`, `colours.py`, `distinct.py`), `knn.py` and `hbos.py` score them.
- Deletion: `deleting.py` follows precision, recall and F1, `stopping.py` knows where to stop without labels,
  `labels.py` and `selectors.py` read what people say, `measuring.py` what a report is worth by that.

`judging.py` makes verdicts of votes and scores, `reasons.py` says them in words (`phrases.py`, `colour_names.py`), and
`page/` writes the report.  `rows.py` is what an extraction says of one node.
"""
