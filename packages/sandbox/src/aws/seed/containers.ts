import { seconds } from '../core/wire.js'
import type { Account, World } from '../core/world.js'
import { addDefinitions } from './definitions.js'
import { addCluster, addFailingService, addService, DAY, HOUR, type Site } from './services.js'

const BREAKER = {
  maximumPercent: 200,
  minimumHealthyPercent: 100,
  deploymentCircuitBreaker: { enable: true, rollback: true }
}

/** Clusters, services, tasks and task definitions of both accounts. */
export function seedContainers (world: World, main: Account, second: Account): void {
  seedProd(
    addCluster(world, main, 'eu-west-1', 'prod', {
      tags: [
        { key: 'env', value: 'prod' },
        { key: 'team', value: 'platform' }
      ],
      settings: [{ name: 'containerInsights', value: 'enabled' }],
      containerInstances: 2
    })
  )
  seedStaging(addCluster(world, main, 'us-east-1', 'staging', { tags: [{ key: 'env', value: 'staging' }] }))
  seedAnalytics(addCluster(world, second, 'eu-west-1', 'analytics', { tags: [{ key: 'env', value: 'prod' }] }))
}

function seedProd (site: Site): void {
  const web = addDefinitions(site, {
    family: 'web',
    tags: ['2.3.0', '2.3.1', '2.4.0'],
    group: '/ecs/prod/web',
    environment: { NODE_ENV: 'production', API_URL: 'https://api.larkspur.example' },
    secrets: ['SESSION_KEY'],
    healthCheck: true
  })
  addService(
    site,
    {
      serviceName: 'web',
      desiredCount: 2,
      deploymentConfiguration: BREAKER,
      loadBalancers: [{ targetGroupArn: targetGroupArn(site, 'web'), containerName: 'web', containerPort: 8080 }],
      tags: tags('web')
    },
    web,
    3 * DAY
  )
  const api = addDefinitions(site, {
    family: 'api',
    tags: ['1.9.2', '1.10.0'],
    group: '/ecs/prod/api',
    cpu: 512,
    memory: 1024,
    environment: { LOG_LEVEL: 'info', DB_HOST: 'orders.cluster-x1.eu-west-1.rds.amazonaws.com' },
    secrets: ['DATABASE_URL', 'STRIPE_KEY'],
    healthCheck: true,
    sidecar: 'xray'
  })
  addService(
    site,
    { serviceName: 'api', desiredCount: 3, deploymentConfiguration: BREAKER, tags: tags('api') },
    api,
    8 * DAY
  )
  addScalableTarget(site, 'api', 1, 10)
  seedProdBackground(site)
}

function seedProdBackground (site: Site): void {
  const worker = addDefinitions(site, {
    family: 'worker',
    tags: ['1.4.1', '1.4.2-crash'],
    group: '/ecs/prod/worker',
    environment: { QUEUE: 'orders', CONCURRENCY: '4' },
    secrets: ['DATABASE_URL']
  })
  addFailingService(site, { serviceName: 'worker', desiredCount: 2, tags: tags('orders') }, worker, 12)
  const search = addDefinitions(site, { family: 'search', tags: ['0.8.3'], group: '/ecs/prod/search', memory: 2048 })
  addService(
    site,
    { serviceName: 'search', desiredCount: 1, deploymentConfiguration: BREAKER, tags: tags('web') },
    search,
    31 * DAY
  )
  const agent = addDefinitions(site, { family: 'node-agent', tags: ['5.1'], group: '/ecs/prod/node-agent' })
  addService(
    site,
    {
      serviceName: 'node-agent',
      schedulingStrategy: 'DAEMON',
      launchType: 'EC2',
      tags: tags('platform')
    },
    agent,
    60 * DAY
  )
}

function seedStaging (site: Site): void {
  const web = addDefinitions(site, { family: 'web-staging', tags: ['2.4.0', '2.5.0-rc1'], group: '/ecs/staging/web' })
  addService(
    site,
    { serviceName: 'web-staging', desiredCount: 1, deploymentConfiguration: BREAKER, tags: tags('web') },
    web,
    5 * HOUR
  )
  const api = addDefinitions(site, { family: 'api-staging', tags: ['1.11.0-rc2'], group: '/ecs/staging/api' })
  addService(
    site,
    { serviceName: 'api-staging', desiredCount: 1, deploymentConfiguration: BREAKER, tags: tags('api') },
    api,
    DAY
  )
  const mail = addDefinitions(site, { family: 'mailer-staging', tags: ['0.3.0'], group: '/ecs/staging/mailer' })
  addService(site, { serviceName: 'mailer-staging', desiredCount: 0, tags: tags('orders') }, mail, 12 * DAY)
  const checkout = addDefinitions(site, {
    family: 'checkout-staging',
    tags: ['3.0.0'],
    group: '/ecs/staging/checkout'
  })
  addService(
    site,
    {
      serviceName: 'checkout-staging',
      desiredCount: 1,
      deploymentController: { type: 'CODE_DEPLOY' },
      tags: tags('orders')
    },
    checkout,
    2 * DAY
  )
}

function seedAnalytics (site: Site): void {
  const ingest = addDefinitions(site, { family: 'ingest', tags: ['1.0.4', '1.0.5'], group: '/ecs/analytics/ingest' })
  addService(
    site,
    { serviceName: 'ingest', desiredCount: 2, deploymentConfiguration: BREAKER, tags: tags('data') },
    ingest
  )
  const boards = addDefinitions(site, { family: 'dashboards', tags: ['4.2'], group: '/ecs/analytics/dashboards' })
  addService(
    site,
    { serviceName: 'dashboards', desiredCount: 1, deploymentConfiguration: BREAKER, tags: tags('data') },
    boards
  )
}

function targetGroupArn ({ region }: Site, name: string): string {
  return `arn:aws:elasticloadbalancing:${region.name}:${region.accountId}:targetgroup/${name}/6d0ecf831eec9f09`
}

function tags (team: string): { key: string; value: string }[] {
  return [
    { key: 'team', value: team },
    { key: 'managed-by', value: 'terraform' }
  ]
}

function addScalableTarget ({ world, region, cluster }: Site, service: string, min: number, max: number): void {
  const id = `service/${cluster.name}/${service}`
  const arn = `arn:aws:application-autoscaling:${region.name}:${region.accountId}:scalable-target`
  region.scalableTargets.set(id, {
    ServiceNamespace: 'ecs',
    ResourceId: id,
    ScalableDimension: 'ecs:service:DesiredCount',
    MinCapacity: min,
    MaxCapacity: max,
    RoleARN:
      `arn:aws:iam::${region.accountId}:role/aws-service-role/ecs.application-autoscaling.amazonaws.com/` +
      'AWSServiceRoleForApplicationAutoScaling_ECSService',
    CreationTime: seconds(world.clock.now() - 90 * DAY),
    SuspendedState: {
      DynamicScalingInSuspended: false,
      DynamicScalingOutSuspended: false,
      ScheduledScalingSuspended: false
    },
    ScalableTargetARN: `${arn}/0ec5${world.ids.hex(28)}`
  })
}
