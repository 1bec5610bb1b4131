import { describeUnchecked, requireImage } from '../../../../lib/aws/images.js'
import { aliasRows } from '../../../../lib/aws/function-aliases.js'
import type { Change, Read } from '../../../../lib/tools/options.js'
import type { App } from '../../../../schemas/deployments/apps.js'
import { liveStatuses, type TargetState } from '../../../../schemas/deployments/builds.js'
import { ServerlessFunction } from '../../../../schemas/infrastructure/functions.js'
import { DryRun, ServiceDetail } from '../../../../schemas/infrastructure/service-deployments.js'
import { isOneOf } from '../../../../schemas/unknown.js'
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

/**
 * Reads what a build would replace, and asks the target's own operation what would become of it.
 * @param image null where none is named yet
 * @throws what the routes answer, such as nothing_to_deploy and image_not_found
 */
export const readRuns = async ({ target }: App, image: string | null, read: Read): Promise<Runs> => {
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
