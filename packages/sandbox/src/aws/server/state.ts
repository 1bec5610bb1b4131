import type { Region } from '../core/world.js'
import type { Sandbox } from '../sandbox.js'
import { viewService } from '../ecs/views.js'

/** A summary of the whole sandbox, for people and for tests. */
export function describeState ({ world, faults, journal }: Sandbox) {
  world.clock.settle()
  return {
    now: new Date(world.clock.now()).toISOString(),
    frozen: world.clock.frozen,
    accounts: [...world.accounts.values()].map((account) => ({
      id: account.id,
      name: account.name,
      regions: Object.fromEntries([...account.regions].map(([name, region]) => [name, describeRegion(region)]))
    })),
    roles: [...world.roles.values()],
    access_keys: [...world.credentials.keys()],
    denials: world.denials,
    faults: faults.list(),
    counts: journal.counts()
  }
}

function describeRegion (region: Region) {
  return {
    clusters: Object.fromEntries([...region.ecs.clusters.values()].map((cluster) => [
      cluster.name,
      { services: [...cluster.services.values()].map((service) => viewService(service, ['TAGS'])) }
    ])),
    task_definitions: [...region.ecs.taskDefinitions.values()].flat().map((one) => one.arn),
    functions: [...region.functions.keys()],
    log_groups: [...region.logGroups.keys()],
    scalable_targets: [...region.scalableTargets.values()]
  }
}
