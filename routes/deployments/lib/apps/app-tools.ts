import { fieldChanges, sentFields } from '../../../../lib/tools/changes.js'
import { defineWriteTool, type Read, type Target } from '../../../../lib/tools/options.js'
import { App, AppPage, AppParams, CreateApp, UpdateApp, type AppTarget } from '../../../../schemas/deployments/apps.js'
import { ServerlessFunction } from '../../../../schemas/infrastructure/functions.js'
import { ServiceDetail } from '../../../../schemas/infrastructure/service-deployments.js'
import { etag } from '../../../../schemas/revisions.js'
import { AppNameTaken } from '../errors.js'
import { requireAlias } from './resolve-target.js'

const fields = ['name', 'source', 'target', 'image', 'builder', 'auto_deploy'] as const

export const appUrl = (id: string) => `/deployments/apps/${encodeURIComponent(id)}`

export const readApp = (id: string, read: Read) => read(appUrl(id), App)

/** @returns the id of what runs the app */
export const runsOn = (target: AppTarget): string => target.kind === 'lambda' ? target.function_id : target.service_id

/** An id of a service or a function begins with its cloud account. */
const holdersOf = (target: AppTarget, environment: string | null): Target['within'] => ({
  [target.kind]: runsOn(target),
  cloud_account: runsOn(target).split('~')[0] ?? '',
  ...(environment && { environment })
})

export const appTarget = ({ id, name, target, environment }: App): Target =>
  ({ kind: 'app', id, within: holdersOf(target, environment), names: [name] })

const sent = (input: Partial<CreateApp>) => sentFields(fields, input)

/** Reads the target as the route will, so that a missing one fails before the approval. @returns it by its id */
const pinTarget = async (target: AppTarget, read: Read): Promise<{ target: AppTarget, environment: string | null }> => {
  const name = encodeURIComponent(runsOn(target))
  if (target.kind === 'lambda') {
    const found = await read(`/infrastructure/serverless/functions/${name}`, ServerlessFunction)
    requireAlias(found, target.alias)
    return { target: { ...target, function_id: found.id }, environment: found.environment }
  }
  const { id, environment } = await read(`/infrastructure/containers/services/${name}`, ServiceDetail)
  return { target: { ...target, service_id: id }, environment }
}

/** @returns whether an app has the name: names that differ only in case are one */
const findByName = async (name: string, read: Read): Promise<boolean> => {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const after: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const page = await read(`/deployments/apps?limit=100${after}`, AppPage)
    if (page.items.some((app) => app.name.toLowerCase() === name.toLowerCase())) return true
    cursor = page.next_cursor
  }
  return false
}

export const createAppTool = defineWriteTool({
  input: { body: CreateApp },
  reads: ['listApps', ['getService', 'getFunction']],
  basis: 'That no app has the name: what is made is all in the arguments, and its target must exist',
  additive: true,
  async plan (input, read) {
    if (await findByName(input.name, read)) throw AppNameTaken()
    const { target, environment } = await pinTarget(input.target, read)
    const args = { ...input, target }
    return {
      target: { kind: 'app', id: `new:${input.name}`, within: holdersOf(target, environment) },
      summary: `Create app ${input.name}`,
      changes: fieldChanges(sent(args), args, {}),
      args,
      risk: [args.auto_deploy?.enabled ? 'deploys_by_itself' : 'own_records']
    }
  },
  reconcile: async ({ name }, read) => await findByName(name, read) ? 'unclear' : 'not_done'
})

export const updateAppTool = defineWriteTool({
  input: { params: AppParams, body: UpdateApp },
  reads: ['getApp'],
  basis: 'The fields that are changed, as they are; others may change without a word',
  async plan (input, read) {
    const app = await readApp(input.app_id, read)
    const args = input.target ? { ...input, target: (await pinTarget(input.target, read)).target } : input
    return {
      target: appTarget(app),
      summary: `Change app ${app.name}: ${sent(input).join(', ')}`,
      changes: fieldChanges(sent(args), args, app),
      args,
      ifMatch: etag(app.revision),
      risk: [input.auto_deploy?.enabled ? 'deploys_by_itself' : 'changes_settings']
    }
  }
})

export const deleteAppTool = defineWriteTool({
  input: { params: AppParams },
  reads: ['getApp'],
  basis: 'What is deleted: its source, its target and its newest build',
  async plan ({ app_id: id }, read) {
    const app = await readApp(id, read)
    return {
      target: appTarget(app),
      summary: `Delete app ${app.name} with the record of its builds; for 30 days it can be brought back`,
      changes: [{ label: 'app', before: app.name, after: null }],
      facts: { source: app.source, target: app.target, latest_build: app.latest_build?.id ?? null },
      ifMatch: etag(app.revision),
      risk: ['deletes']
    }
  }
})
