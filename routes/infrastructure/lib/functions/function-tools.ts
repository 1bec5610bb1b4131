import { defineWriteTool, type Change, type Read, type Target } from '../../../../lib/tools/options.js'
import { requireWritable } from '../../../../lib/aws/accounts.js'
import { describeUnchecked, requireImage } from '../../../../lib/aws/images.js'
import { aliasRows, describeVersions } from '../../../../lib/aws/function-aliases.js'
import {
  DeployFunction, FunctionAliasParams, FunctionParams, InvokeFunction, MoveFunctionAlias, ServerlessFunction
} from '../../../../schemas/infrastructure/functions.js'
import { functionFacts } from './deploy-function.js'
import { FunctionNotDeployable } from '../errors.js'
import { invokeFacts } from './invoke-function.js'
import { aliasFacts, requireAlias, requireUndivided } from './move-alias.js'
import { routingOf } from './resolve-function.js'

const readFunction = (name: string, read: Read, query: { qualifier?: string | undefined, image?: string } = {}) => {
  const { qualifier, image } = query
  const given = new URLSearchParams({ ...(qualifier !== undefined && { qualifier }), ...(image !== undefined && { image }) })
  const url = `/infrastructure/serverless/functions/${encodeURIComponent(name)}`
  return read(given.size === 0 ? url : `${url}?${given}`, ServerlessFunction)
}

const functionTarget = ({ id, arn, name, account_id, region, environment }: ServerlessFunction): Target => ({
  kind: 'lambda_function',
  id,
  within: { cloud_account: account_id, ...(environment && { environment }), region },
  names: [arn, name]
})

/** @returns such as "function pdf-render (eu-west-1, account Sandbox)" */
const describeFunction = ({ name, region, account_name, environment }: ServerlessFunction, qualifier?: string) => {
  const account = `account ${account_name}${environment ? `, ${environment}` : ''}`
  return `function ${name}${qualifier ? `:${qualifier}` : ''} (${region}, ${account})`
}

/** @returns the function, of an account that may be changed. @throws cloud_account_read_only */
const readWritable = async (...[name, read, query]: Parameters<typeof readFunction>): Promise<ServerlessFunction> => {
  const found = await readFunction(name, read, query)
  requireWritable({ ...found, id: found.account_id })
  return found
}

/** Where there are aliases, or may be, what changes is not what they call. */
const describeLatest = (lambda: ServerlessFunction): string =>
  `${lambda.aliases?.length === 0 ? '' : '$LATEST of '}${describeFunction(lambda)}`

/** The same tag may be another image by now: what it was shows, and what it is where the registry says so. */
const imageChange = ({ image, image_digest: digest, registry }: ServerlessFunction, input: { image: string }):
Pick<Change, 'before' | 'after'> => {
  if (image !== input.image || digest === null || image.includes('@')) return { before: image, after: input.image }
  const now = registry?.state === 'found' ? registry.digest : null
  return { before: `${image} (${digest})`, after: now === null ? image : `${image} (${now})` }
}

export const deployFunctionTool = defineWriteTool({
  input: { params: FunctionParams, body: DeployFunction },
  reads: ['getFunction'],
  basis: 'The revision: Lambda changes it with every change of the function, and any may change what the image does',
  async plan (input, read) {
    const lambda = await readWritable(input.name, read, { image: input.image })
    if (lambda.package_type !== 'Image') throw FunctionNotDeployable()
    if (lambda.registry) requireImage(lambda.registry)
    const unchecked = lambda.registry && describeUnchecked(lambda.registry)
    return {
      target: functionTarget(lambda),
      summary: `${input.dry_run ? 'Check only: deploy' : 'Deploy'} ${input.image} to ${describeLatest(lambda)}`,
      changes: [
        {
          label: 'Image',
          field: ['image', 'revision_id', 'dry_run'],
          ...imageChange(lambda, input)
        },
        ...aliasRows(lambda),
        ...(unchecked ? [{ label: 'Note', before: null, after: unchecked, binding: false, context: true } as const] : [])
      ],
      args: { ...input, name: lambda.id },
      facts: functionFacts(lambda),
      effect: input.dry_run ? 'read' : 'write',
      risk: ['replaces_running']
    }
  },
  async reconcile ({ name, image }, read) {
    return (await readFunction(name, read)).image === image ? 'done' : 'unclear'
  }
})

export const moveFunctionAliasTool = defineWriteTool({
  input: { params: FunctionAliasParams, body: MoveFunctionAlias },
  reads: ['getFunction'],
  basis: 'Where the calls of the alias go, its revision, which changes with every move, and the code to which they are to go',
  async plan (input, read) {
    const lambda = await readWritable(input.name, read)
    const alias = requireAlias(lambda.aliases ?? [], input.alias)
    if (input.version === undefined) requireUndivided(alias)
    const [serves, next] = await Promise.all([
      readFunction(lambda.id, read, { qualifier: input.alias }),
      input.version === undefined ? lambda : readFunction(lambda.id, read, { qualifier: input.version })
    ])
    const after = input.version === undefined ? 'a version with the code of $LATEST' : `version ${input.version}`
    return {
      target: functionTarget(lambda),
      summary: `Move alias ${input.alias} of ${describeFunction(lambda)} to ${after}`,
      changes: [
        { label: `Alias ${input.alias}`, field: ['alias', 'version'], before: describeVersions(alias.versions), after },
        ...(serves.image === null && next.image === null ? [] : [{ label: 'Image', before: serves.image, after: next.image }])
      ],
      args: { ...input, name: lambda.id },
      facts: aliasFacts(alias, next),
      risk: ['replaces_running']
    }
  },
  async reconcile ({ name, alias, version }, read) {
    const found = (await readFunction(name, read)).aliases?.find((one) => one.name === alias)
    const isThere = version !== undefined && found?.versions.length === 1 && found.versions[0]?.version === version
    return isThere ? 'done' : 'unclear'
  }
})

const verbs = { sync: 'Invoke', async: 'Invoke in the background', dry_run: 'Check that it may be invoked:' } as const

export const invokeTool = defineWriteTool({
  input: { params: FunctionParams, body: InvokeFunction },
  reads: ['getFunction'],
  basis: 'The revision and version that would run: what runs is what was there when it was shown',
  async plan (input, read) {
    const { mode = 'sync', qualifier, payload } = input
    const lambda = await readWritable(input.name, read, { qualifier })
    const { name, version, state } = lambda
    const routing = routingOf(lambda, qualifier)
    const runs = routing ? `alias ${qualifier}, ${describeVersions(routing)}` : `version ${version}`
    return {
      target: functionTarget(lambda),
      summary: `${verbs[mode]} ${describeFunction(lambda, qualifier)}`,
      changes: [
        { label: 'Function', field: ['qualifier', 'mode'], before: null, after: `${name}, ${runs}` },
        { label: 'State', before: null, after: state ?? 'unknown', binding: false, context: true },
        { label: 'Payload', field: 'payload', before: null, after: JSON.stringify(payload) ?? '(none)' }
      ],
      args: { ...input, name: lambda.id },
      facts: invokeFacts(lambda, qualifier),
      effect: mode === 'dry_run' ? 'read' : 'write',
      risk: ['runs_code']
    }
  }
})
