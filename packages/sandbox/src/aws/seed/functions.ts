import type { FunctionConfiguration } from '@aws-sdk/client-lambda'
import { createHash } from 'node:crypto'
import type { Wire } from '../core/wire.js'
import { regionOf, type Account, type Region, type World } from '../core/world.js'
import { EXECUTIONS, framed } from '../lambda/behaviour.js'
import { lambdaTime } from '../lambda/code.js'
import { logStreamName } from '../lambda/log-stream.js'
import type { Behaviour } from '../lambda/state.js'
import { getOrCreateGroup, writeLines } from '../logs/write.js'
import { DAY, HOUR } from './services.js'

interface Sketch {
  name: string
  behaviour: Behaviour
  description: string
  configuration?: Partial<Wire<FunctionConfiguration>>
  /** Published versions, and the one of an alias. */
  versions?: number
  aliases?: Record<string, string>
  tags?: Record<string, string>
  reservedConcurrency?: number
  /** False = it was never invoked, so it has no log group. */
  invoked?: boolean
}

const MAIN: Sketch[] = [
  { name: 'echo', behaviour: 'echo', description: 'Answers with what it is sent', tags: { team: 'platform' } },
  {
    name: 'order-webhook',
    behaviour: 'ok',
    description: "Takes the payment provider's callbacks",
    versions: 3,
    aliases: { live: '2', canary: '3' },
    tags: { team: 'orders', env: 'prod' },
    configuration: { Environment: { Variables: { TABLE: 'orders', STRIPE_KEY: 'sk_live_not_a_real_key' } } }
  },
  {
    name: 'image-resizer',
    behaviour: 'ok',
    description: 'Makes thumbnails',
    configuration: { MemorySize: 1024, Timeout: 30 }
  },
  {
    name: 'nightly-report',
    behaviour: 'fail',
    description: 'Sums up the day; fails since the last change',
    versions: 1,
    aliases: { live: '1' },
    configuration: { Timeout: 120 }
  },
  {
    name: 'catalog-export',
    behaviour: 'slow',
    description: 'Exports the catalogue',
    configuration: { Timeout: 60, MemorySize: 512 }
  },
  {
    name: 'legacy-sync',
    behaviour: 'timeout',
    description: 'Talks to the old warehouse',
    configuration: { Runtime: 'python3.12' }
  },
  {
    name: 'pdf-render',
    behaviour: 'crash',
    description: 'Renders invoices from a container image',
    versions: 1,
    aliases: { live: '1' },
    configuration: {
      PackageType: 'Image',
      Runtime: undefined,
      Handler: undefined,
      Architectures: ['x86_64'],
      MemorySize: 2048
    }
  },
  {
    name: 'paused-import',
    behaviour: 'ok',
    description: 'Switched off by reserved concurrency 0',
    reservedConcurrency: 0,
    invoked: false
  }
]

/** The functions of both accounts, with their logs. */
export function seedFunctions (world: World, main: Account, second: Account): void {
  for (const sketch of MAIN) addFunction(world, regionOf(main, 'eu-west-1'), sketch)
  addFunction(world, regionOf(main, 'us-east-1'), {
    name: 'order-webhook-staging',
    behaviour: 'ok',
    description: 'The next order-webhook',
    tags: { env: 'staging' }
  })
  addFunction(world, regionOf(second, 'eu-west-1'), {
    name: 'compact-events',
    behaviour: 'ok',
    description: 'Compacts the event files',
    tags: { team: 'data' }
  })
}

function addFunction (world: World, region: Region, sketch: Sketch): void {
  const latest = configurationOf(world, region, sketch)
  const arn = latest.FunctionArn ?? ''
  const published = Array.from({ length: sketch.versions ?? 0 }, (_, index) => ({
    ...latest,
    Version: String(index + 1),
    FunctionArn: `${arn}:${index + 1}`,
    CodeSha256: hash(`${sketch.name}/${index + 1}`),
    LastModified: lambdaTime(world.clock.now() - (30 - index * 7) * DAY)
  }))
  region.functions.set(sketch.name, {
    name: sketch.name,
    behaviour: sketch.behaviour,
    versions: [latest, ...published],
    aliases: Object.entries(sketch.aliases ?? {}).map(([name, version]) => ({
      AliasArn: `${arn}:${name}`,
      Name: name,
      FunctionVersion: version,
      Description: '',
      RevisionId: world.ids.uuid()
    })),
    tags: sketch.tags ?? {},
    reservedConcurrency: sketch.reservedConcurrency ?? null
  })
  if (sketch.invoked !== false) addPast(world, region, sketch, latest)
}

function configurationOf (world: World, region: Region, sketch: Sketch): Wire<FunctionConfiguration> {
  return {
    FunctionName: sketch.name,
    FunctionArn: `arn:aws:lambda:${region.name}:${region.accountId}:function:${sketch.name}`,
    Runtime: 'nodejs22.x',
    Role: `arn:aws:iam::${region.accountId}:role/${sketch.name}`,
    Handler: 'index.handler',
    CodeSize: 20_000 + sketch.name.length * 3517,
    Description: sketch.description,
    Timeout: 3,
    MemorySize: 128,
    LastModified: lambdaTime(world.clock.now() - 4 * DAY),
    CodeSha256: hash(`${sketch.name}/${sketch.versions ?? '$LATEST'}`),
    Version: '$LATEST',
    TracingConfig: { Mode: 'PassThrough' },
    RevisionId: world.ids.uuid(),
    State: 'Active',
    LastUpdateStatus: 'Successful',
    PackageType: 'Zip',
    Architectures: ['arm64'],
    EphemeralStorage: { Size: 512 },
    SnapStart: { ApplyOn: 'None', OptimizationStatus: 'Off' },
    LoggingConfig: { LogFormat: 'Text', LogGroup: `/aws/lambda/${sketch.name}` },
    ...sketch.configuration
  }
}

/** A day of invocations, one every two hours. */
function addPast (world: World, region: Region, sketch: Sketch, configuration: Wire<FunctionConfiguration>): void {
  const group = getOrCreateGroup(region, `/aws/lambda/${sketch.name}`, world.clock.now() - 60 * DAY)
  for (let ago = 24; ago > 0; ago -= 2) {
    const at = world.clock.now() - ago * HOUR + 7 * 60_000
    const requestId = world.ids.uuid()
    const day = new Date(at).toISOString()
    const execution = EXECUTIONS[sketch.behaviour]({ payload: {}, requestId, configuration, slowMs: 3000, at: day })
    writeLines(
      group,
      logStreamName(configuration, at),
      framed({ requestId, configuration }, execution).map((message, index) => ({ at: at + index * 3, message }))
    )
  }
}

function hash (text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
