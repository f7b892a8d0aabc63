"""Ours beside the peers, on real pages that none of us wrote.

corpora, mutations, hostile    the pages
systems                        who is measured: our two methods and the peers
acceptance, trees, words       is the result right
speed, growth                  what does it cost
report, floors.json            one table, and the figures below which a run fails
"""
