import type { Arguments, PreviewRow, Read } from '../../../plugins/tool-options.js'
import type { DeployFunction, ServerlessFunction } from '../../../schemas/infrastructure/functions.js'
import { FunctionNotDeployable } from './errors.js'

/** The route has checked the arguments against its schemas before these run. */
const wishOf = (args: Arguments) => args as unknown as DeployFunction & { name: string }

const readTarget = async (args: Arguments, read: Read) =>
  // The route's response schema is ServerlessFunction.
  await read(`/infrastructure/serverless/functions/${encodeURIComponent(wishOf(args).name)}`) as
    unknown as ServerlessFunction

/** @returns such as "Deploy app:1.3 to function pdf-render (eu-west-1, account Sandbox)" */
export const summarizeFunctionDeploy = async (args: Arguments, read: Read): Promise<string> => {
  const { name, region, account_name: account } = await readTarget(args, read)
  const { image, dry_run: plan } = wishOf(args)
  return `${plan ? 'Check only: deploy' : 'Deploy'} ${image} to function ${name} (${region}, account ${account})`
}

/** @throws function_not_deployable, and the operation's own error when the function does not exist */
export const previewFunctionDeploy = async (args: Arguments, read: Read): Promise<PreviewRow[]> => {
  const { image, package_type: type } = await readTarget(args, read)
  if (type !== 'Image') throw FunctionNotDeployable()
  return [{ label: 'Image', before: image, after: wishOf(args).image }]
}

/** @returns whether the function has the image by now */
export const reconcileFunctionDeploy = async (args: Arguments, read: Read): Promise<'done' | 'unclear'> => {
  const { image } = await readTarget(args, read)
  return image === wishOf(args).image ? 'done' : 'unclear'
}
