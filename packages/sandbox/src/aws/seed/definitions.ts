import { addTaskDefinition } from '../ecs/task-definitions.js'
import { getOrCreateGroup } from '../logs/write.js'
import { DAY, type Site } from './services.js'

export interface Recipe {
  family: string
  /** Image tags, oldest revision first. */
  tags: string[]
  group: string
  cpu?: number
  memory?: number
  environment?: Record<string, string>
  secrets?: string[]
  healthCheck?: boolean
  /** A second container beside the first. */
  sidecar?: string
}

/** Registers the revisions of a family and its log group; answers the ARNs, oldest first. */
export function addDefinitions (site: Site, recipe: Recipe): string[] {
  const { world, region } = site
  getOrCreateGroup(region, recipe.group, world.clock.now() - 200 * DAY).retentionInDays = 30
  return recipe.tags.map((tag, index) => {
    const at = world.clock.now() - (recipe.tags.length - index) * 9 * DAY
    return addTaskDefinition(region, definition(site, recipe, tag), {
      at,
      by: `arn:aws:iam::${region.accountId}:role/ci`
    }).arn
  })
}

function definition (site: Site, recipe: Recipe, tag: string): Record<string, unknown> {
  const { accountId } = site.region
  const sidecar = recipe.sidecar ? [sidecarContainer(site, recipe, recipe.sidecar)] : []
  return {
    family: recipe.family,
    networkMode: 'awsvpc',
    requiresCompatibilities: ['FARGATE'],
    cpu: String(recipe.cpu ?? 256),
    memory: String(recipe.memory ?? 512),
    executionRoleArn: `arn:aws:iam::${accountId}:role/ecsTaskExecutionRole`,
    taskRoleArn: `arn:aws:iam::${accountId}:role/${recipe.family}-task`,
    runtimePlatform: { cpuArchitecture: 'ARM64', operatingSystemFamily: 'LINUX' },
    containerDefinitions: [mainContainer(site, recipe, tag), ...sidecar],
    tags: [
      { key: 'team', value: 'platform' },
      { key: 'managed-by', value: 'terraform' }
    ]
  }
}

function mainContainer (site: Site, recipe: Recipe, tag: string): Record<string, unknown> {
  const { name: region, accountId } = site.region
  const secretArn = `arn:aws:ssm:${region}:${accountId}:parameter/${recipe.family}`
  return {
    name: recipe.family,
    image: `${accountId}.dkr.ecr.${region}.amazonaws.com/${recipe.family}:${tag}`,
    portMappings: [{ containerPort: 8080, hostPort: 8080, protocol: 'tcp' }],
    environment: Object.entries(recipe.environment ?? {}).map(([name, value]) => ({ name, value })),
    secrets: (recipe.secrets ?? []).map((name) => ({ name, valueFrom: `${secretArn}/${name}` })),
    logConfiguration: logTo(region, recipe.group),
    ...(recipe.healthCheck ? { healthCheck: HEALTH_CHECK } : {})
  }
}

function sidecarContainer (site: Site, recipe: Recipe, name: string): Record<string, unknown> {
  return {
    name,
    image: `public.ecr.aws/${name}/${name}:3.2`,
    essential: false,
    logConfiguration: logTo(site.region.name, recipe.group)
  }
}

function logTo (region: string, group: string): Record<string, unknown> {
  return {
    logDriver: 'awslogs',
    options: { 'awslogs-group': group, 'awslogs-region': region, 'awslogs-stream-prefix': 'ecs' }
  }
}

const HEALTH_CHECK = {
  command: ['CMD-SHELL', 'wget -q -O- http://localhost:8080/health || exit 1'],
  interval: 10,
  timeout: 5,
  retries: 3,
  startPeriod: 10
}
