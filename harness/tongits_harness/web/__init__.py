"""Pages: the results in a browser, live from the database or as a static site.

`arena` reads and keeps, `pages` makes a page out of what was read, `app` answers requests, `live`
tells of changes, `server` runs it all on trio, `publish` writes the same pages into a folder.
"""
