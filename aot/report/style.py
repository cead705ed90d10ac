"""The page's style sheet."""

STYLE = """\
:root { color-scheme: light dark; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem; max-width: 1200px; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #8886; }
h3 { font-size: 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.75rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.25rem 0; white-space: nowrap; }
th, td { text-align: left; padding: 0.15rem 0.6rem; border-bottom: 1px solid #8883; }
td { vertical-align: top; max-width: 22rem; overflow-wrap: break-word; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1rem 0; }
meter { width: 12rem; }
.map .frame { fill: none; stroke: #888; }
.map rect { stroke: #333; stroke-width: 0.5; }
.map rect:hover { stroke-width: 2; }
.map .tick { font-size: 11px; fill: currentColor; }
.map .name { font-size: 11px; fill: #111; pointer-events: none; }
.c0 { fill: #8dd3c7; } .c1 { fill: #ffffb3; } .c2 { fill: #bebada; } .c3 { fill: #fb8072; }
.c4 { fill: #80b1d3; } .c5 { fill: #fdb462; } .c6 { fill: #b3de69; } .c7 { fill: #fccde5; }
"""
