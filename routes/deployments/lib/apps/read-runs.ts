import { describeUnchecked, requireImage } from '../../../../lib/aws/images.js'
import { aliasRows, describeVersions } from '../../../../lib/aws/function-aliases.js'
import type { Change, Read } from '../../../../lib/tools/options.js'
import type { App, LambdaTarget } from '../../../../schemas/deployments/apps.js'
import { liveStatuses, type Build, type TargetState } from '../../../../schemas/deployments/builds.js'
import { ApiError } from '../../../../schemas/errors.js'
import { ServerlessFunction, type FunctionAlias } from '../../../../schemas/infrastructure/functions.js'
import { DryRun, ServiceDetail } from '../../../../schemas/infrastructure/service-deployments.js'
import { isOneOf } from '../../../../schemas/unknown.js'
import { AliasDivided, TargetNotFound } from '../errors.js'
import { functionUrl, serviceUrl } from './resolve-target.js'

/** What an app's target runs now, as AWS says; not what the last build has left there. */
export interface Runs extends TargetState {
  /** Such as "service web in cluster prod (eu-west-1, account Sandbox)". */
  name: string
  /** Of the container that the app deploys. */
  image: string | null
  digest: string | null
  scaled_to_zero: boolean
  changes: Change[]
}

type Place = Pick<ServiceDetail, 'region' | 'account_name' | 'environment'>

const describePlace = ({ region, account_name: account, environment }: Place): string =>
  `(${region}, account ${account}${environment ? `, ${environment}` : ''})`

const revisionOf = (arn: string): string => arn.split('/').at(-1) ?? arn

/** The id of a deployment stands for what it has pulled: its tasks show that only as they start. */
const digestRow = (digest: string | null | undefined): Change[] => digest
  ? [{ label: 'Digest', before: digest, after: 'as it is pulled', binding: false, context: true }]
  : []

/** @returns what is under way at AWS, which a deployment ends; once it is complete, the same runs */
const underWay = ({ deployments }: ServiceDetail): Change[] =>
  deployments.filter(({ status, rollout_state: state }) => status === 'PRIMARY' && state === 'IN_PROGRESS')
    .map(({ id, task_definition }) => ({
      label: 'Deployment under way', before: `${id} of ${revisionOf(task_definition)}`, after: 'superseded', binding: false
    }))

const ofService = (service: ServiceDetail, container: string): Runs => {
  const { name, cluster, task_definition: now, images, deployments } = service
  const held = images?.find((one) => one.container === container)
  return {
    name: `service ${name} in cluster ${cluster} ${describePlace(service)}`,
    task_definition: now?.arn ?? null,
    deployment_id: deployments.find(({ status }) => status === 'PRIMARY')?.id ?? null,
    revision_id: null,
    image: held?.image ?? null,
    digest: held?.digest ?? null,
    scaled_to_zero: service.desired_count === 0,
    changes: [
      { label: 'Task definition', before: now && revisionOf(now.arn), after: 'a revision with this image' },
      {
        label: 'Tasks',
        before: `${service.running_count} of ${service.desired_count} running`,
        after: 'all replaced',
        binding: false
      },
      ...(held?.image.includes('@') ? [] : digestRow(held?.digest)),
      ...underWay(service)
    ]
  }
}

const noteRow = (after: string): Change => ({ label: 'Note', before: null, after, binding: false, context: true })

const ofFunction = (found: ServerlessFunction): Runs => ({
  name: `function ${found.name} ${describePlace(found)}`,
  task_definition: null,
  deployment_id: null,
  revision_id: found.revision_id,
  image: found.image,
  digest: found.image_digest,
  scaled_to_zero: false,
  changes: [
    {
      label: 'Version',
      before: '$LATEST',
      after: 'only $LATEST changes; published versions and aliases stay as they are',
      context: true
    },
    ...aliasRows(found),
    ...[found.registry && describeUnchecked(found.registry)].flatMap((note) => note ? [noteRow(note)] : [])
  ]
})

/** Whoever divides the calls of the alias has not finished; only a rollback, which says so, ends that. */
const requireUndivided = ({ name, versions }: FunctionAlias): void => {
  if (versions.length <= 1) return
  throw AliasDivided(`Alias ${name} divides its calls between ${describeVersions(versions)}. Deploy when that has ended, or ` +
    'move the alias to one of the versions first', { versions })
}

const requireAlias = ({ name, aliases }: ServerlessFunction, wanted: string): FunctionAlias => {
  const found = aliases?.find((one) => one.name === wanted)
  if (found) return found
  throw TargetNotFound(aliases === null
    ? `The aliases of function ${name} may not be read (lambda:ListAliases), so ${wanted} cannot be moved`
    : `Function ${name} has no alias ${wanted}`)
}

const leadsToLatest = 'The alias leads to $LATEST: its calls get the image as soon as Lambda has taken it over'

/**
 * @param serves what the alias leads to
 * @param version to which a rollback goes back; undefined where a version is published
 */
const ofAlias = (found: ServerlessFunction, alias: FunctionAlias, serves: ServerlessFunction, version?: string): Runs => {
  const plain = ofFunction({ ...found, aliases: (found.aliases ?? []).filter(({ name }) => name !== alias.name) })
  const isLatest = alias.versions[0]?.version === '$LATEST' && version === undefined
  return {
    ...plain,
    name: `function ${found.name}:${alias.name} ${describePlace(found)}`,
    revision_id: version === undefined ? found.revision_id : null,
    alias_revision_id: alias.revision_id,
    image: serves.image,
    digest: serves.image_digest,
    changes: [
      {
        label: `Alias ${alias.name}`,
        before: describeVersions(alias.versions),
        after: version === undefined ? 'a new version, published with this image' : `version ${version}`
      },
      ...(version === undefined ? plain.changes.filter(({ label }) => label !== 'Version') : []),
      ...(isLatest ? [noteRow(leadsToLatest)] : [])
    ]
  }
}

/** @returns whether the version is still there: Lambda keeps them until somebody deletes them */
const hasVersion = async (url: string, version: string, read: Read): Promise<boolean> => {
  try {
    await read(`${url}?qualifier=${version}`, ServerlessFunction)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'function_not_found') return false
    throw error
  }
}

const readAlias = async (target: LambdaTarget, name: string, image: string | null, read: Read, earlier?: Build):
Promise<Runs> => {
  const url = functionUrl(target.function_id)
  const version = earlier?.published?.function_id === target.function_id ? earlier.published.version : undefined
  const back = version !== undefined && await hasVersion(url, version, read) ? version : undefined
  const query = image === null || back !== undefined ? '' : `?${new URLSearchParams({ image })}`
  const found = await read(`${url}${query}`, ServerlessFunction)
  if (found.registry) requireImage(found.registry)
  const alias = requireAlias(found, name)
  if (back === undefined) requireUndivided(alias)
  return ofAlias(found, alias, await read(`${url}?qualifier=${name}`, ServerlessFunction), back)
}

/**
 * Reads what a build would replace, and asks the target's own operation what would become of it.
 * @param image null where none is named yet
 * @param earlier the build that is to run again
 * @throws what the routes answer, such as nothing_to_deploy and image_not_found
 */
export const readRuns = async ({ target }: App, image: string | null, read: Read, earlier?: Build): Promise<Runs> => {
  if (target.kind === 'lambda' && target.alias !== undefined) return readAlias(target, target.alias, image, read, earlier)
  if (target.kind === 'lambda') {
    const query = image === null ? '' : `?${new URLSearchParams({ image })}`
    const found = await read(`${functionUrl(target.function_id)}${query}`, ServerlessFunction)
    if (found.registry) requireImage(found.registry)
    return ofFunction(found)
  }
  const { service_id: id, container } = target
  const service = await read(serviceUrl(id), ServiceDetail)
  const runs = ofService(service, container)
  if (image === null) return runs
  const { warnings } = await read(`${serviceUrl(id)}/deploy`, DryRun, { image, container })
  return { ...runs, changes: [...runs.changes, ...warnings.map(noteRow)] }
}

/** @returns the newest build of the app, while it waits or runs: it comes first */
export const buildBefore = ({ latest_build: latest }: App): App['latest_build'] =>
  latest && isOneOf(liveStatuses, latest.status) ? latest : null
