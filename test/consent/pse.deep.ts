import t from '../tap.js'
import { buildApp } from '../app.js'
import { pseCases } from './pse.js'
import { tryDrifts } from './drift.js'
import { manyWaiting } from './limits.js'

await tryDrifts(t, await buildApp(t, manyWaiting), pseCases)
