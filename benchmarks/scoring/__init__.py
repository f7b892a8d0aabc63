"""How far what was mined is right: records, their columns, and tables.

The measures are those in which the targets are stated; each module defines its own.
"""
