import t from '../tap.js'
import { buildApp } from '../app.js'
import { deploymentsCases } from './deployments.js'
import { tryDrifts } from './drift.js'
import { manyWaiting } from './limits.js'

await tryDrifts(t, await buildApp(t, { ...manyWaiting, WORKER: 'false' }), deploymentsCases)
