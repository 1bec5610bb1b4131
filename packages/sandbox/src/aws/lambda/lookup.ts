import type { FunctionConfiguration } from '@aws-sdk/client-lambda'
import { AwsError } from '../core/errors.js'
import type { Wire } from '../core/wire.js'
import type { Region } from '../core/world.js'
import type { FunctionState } from './state.js'

export interface FunctionChoice {
  FunctionName?: string | undefined
  Qualifier?: string | undefined
}

/** The ARN of a function that need not exist. */
export function functionArn (region: Region, { FunctionName = '' }: FunctionChoice): string {
  return `arn:aws:lambda:${region.name}:${region.accountId}:function:${parseName(FunctionName).name}`
}

/** The same with the version or the alias that is named: the permission is asked for on that. */
export function qualifiedArn (region: Region, choice: FunctionChoice): string {
  const qualifier = choice.Qualifier ?? parseName(choice.FunctionName ?? '').qualifier
  return qualifier ? `${functionArn(region, choice)}:${qualifier}` : functionArn(region, choice)
}

/** The function of a name, a partial or a full ARN. */
export function requireFunction (region: Region, choice: FunctionChoice): FunctionState {
  const { name } = parseName(choice.FunctionName ?? '')
  const found = region.functions.get(name)
  if (!found) throw notFound(`Function not found: ${functionArn(region, choice)}`)
  return found
}

/** The version that the qualifier means: a number, an alias, or `$LATEST`. */
export function requireVersion (region: Region, choice: FunctionChoice): Wire<FunctionConfiguration> {
  const state = requireFunction(region, choice)
  const qualifier = qualifierOf(choice)
  const alias = state.aliases.find((one) => one.Name === qualifier)
  const version = state.versions.find((one) => one.Version === (alias?.FunctionVersion ?? qualifier))
  if (!version) throw notFound(`Function not found: ${functionArn(region, choice)}:${qualifier}`)
  return version
}

/** ResourceNotFoundException in Lambda's form. */
export function notFound (message: string): AwsError {
  return new AwsError('ResourceNotFoundException', message, 404)
}

/** InvalidParameterValueException. */
export function badValue (message: string): AwsError {
  return new AwsError('InvalidParameterValueException', message)
}

function qualifierOf ({ FunctionName = '', Qualifier }: FunctionChoice): string {
  const inName = parseName(FunctionName).qualifier
  if (inName && Qualifier && inName !== Qualifier) {
    throw badValue('The derived qualifier from the function name does not match the specified qualifier.')
  }
  return Qualifier ?? inName ?? '$LATEST'
}

const NAME = /^(?:(?:arn:aws:lambda:[\w-]+:)?\d{12}:function:|function:)?([\w-]{1,140})(?::([\w$-]+))?$/

function parseName (text: string): { name: string; qualifier: string | undefined } {
  const match = NAME.exec(text)
  if (!match) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value '${text}' at 'functionName' failed to ` +
        'satisfy constraint: Member must satisfy regular expression pattern'
    )
  }
  return { name: match[1] ?? '', qualifier: match[2] }
}
