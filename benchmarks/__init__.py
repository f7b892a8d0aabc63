"""Ours beside the peers, on real pages that none of us wrote.

corpora, mutations, hostile       the pages
systems                           who cleans: our two methods and the peers
acceptance, trees, words          is the tree right
speed, growth                     what does cleaning cost
renderers, rendering              what does rendering cost beside Playwright
listings, scoring                 true records and tables, and how far what was mined is right
records, columns, tables, claims  the miners, pandas.read_html and what eMine's paper says
mining_speed, safety              what does mining cost, and does any page raise
wrappers                          sections of fact books and sites, learnt and read
articles                          main texts beside trafilatura, readability and others
queries                           SQL over sources: pages and time, beside shillelagh and sqlglot
outliers                          visual outliers: what finding them costs beside PyOD
report, floors.json               the tables, and the figures below which a run fails
"""
