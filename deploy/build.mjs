// Builds what has changed: the modules (of the parts that are named, too), then what is made of them, side by side.
await import('./transpile.mjs')
await Promise.all([import('./bundle.mjs'), import('./database.mjs'), import('../web/build.mjs')])
