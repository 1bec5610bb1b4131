import t from '../tap.js'
import { buildApp } from '../app.js'
import { accountCases } from './account.js'
import { codehostCases } from './codehost.js'
import { contentCases } from './content.js'
import { deploymentsCases } from './deployments.js'
import { infrastructureCases } from './infrastructure.js'
import { pseCases } from './pse.js'

const app = await buildApp(t)
const cases = [accountCases, codehostCases, contentCases, deploymentsCases, infrastructureCases, pseCases].flat()

t.test('every tool that writes is tried with drifts', async (t) => {
  t.same(cases.map(({ tool }) => tool).sort(), app.tools.writes().sort())
})

t.test('every tool says which state its plan depends on, and why no more', async (t) => {
  for (const name of app.tools.writes()) t.match(app.tools.find(name)?.options?.basis, /^[A-Z].{20,}[^.]$/, name)
})
