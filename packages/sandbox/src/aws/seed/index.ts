import type { Account, World } from '../core/world.js'
import { SANDBOX_ACCOUNT_ID, SANDBOX_CREDENTIALS, SANDBOX_ROLE_ARN, SANDBOX_SECOND_ACCOUNT_ID } from '../constants.js'
import { seedAlarms } from './alarms.js'
import { seedProjects } from './projects.js'
import { seedContainers } from './containers.js'
import { seedCosts } from './costs.js'
import { seedFunctions } from './functions.js'
import { seedLogs } from './logs.js'

/** Fills a new world with a small company: the same one every time. */
export function seed (world: World): void {
  const main = addAccount(world, SANDBOX_ACCOUNT_ID, 'Larkspur Outfitters')
  const second = addAccount(world, SANDBOX_SECOND_ACCOUNT_ID, 'Larkspur Data')
  addIdentities(world)
  seedContainers(world, main, second)
  seedFunctions(world, main, second)
  seedLogs(world, main)
  seedAlarms(world, main)
  seedProjects(world, main)
  seedCosts(main, second)
}

function addAccount (world: World, id: string, name: string): Account {
  const account: Account = { id, name, regions: new Map(), costs: { lines: [], anomalies: [], forecastable: true } }
  world.accounts.set(id, account)
  return account
}

function addIdentities (world: World): void {
  world.credentials.set(SANDBOX_CREDENTIALS.accessKeyId, {
    ...SANDBOX_CREDENTIALS,
    accountId: SANDBOX_ACCOUNT_ID,
    arn: `arn:aws:iam::${SANDBOX_ACCOUNT_ID}:user/steward`,
    userId: `AIDA${world.ids.upper(17)}`
  })
  world.roles.set(SANDBOX_ROLE_ARN, {
    arn: SANDBOX_ROLE_ARN,
    id: `AROA${world.ids.upper(17)}`,
    accountId: SANDBOX_SECOND_ACCOUNT_ID,
    externalId: null,
    enforceExternalId: true,
    maxSessionSeconds: 3600,
    mayTag: true,
    maySetSourceIdentity: true,
    policy: undefined
  })
}
