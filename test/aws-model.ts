import * as autoscaling from '@aws-sdk/client-application-auto-scaling'
import * as cloudwatch from '@aws-sdk/client-cloudwatch'
import * as logs from '@aws-sdk/client-cloudwatch-logs'
import * as codebuild from '@aws-sdk/client-codebuild'
import * as costs from '@aws-sdk/client-cost-explorer'
import * as ecr from '@aws-sdk/client-ecr'
import * as ecs from '@aws-sdk/client-ecs'
import * as lambda from '@aws-sdk/client-lambda'
import * as sts from '@aws-sdk/client-sts'

/**
 * AWS's own models of its services, as the SDK's clients have them: the shapes of what is asked and answered. They are
 * arrays that begin with a kind; a member's type is a shape, a number for a simple one, or a pair of either and traits.
 */
const services: Record<string, Record<string, unknown>> = {
  'application-autoscaling': autoscaling, ce: costs, codebuild, ecr, ecs, lambda, logs, monitoring: cloudwatch, sts
}

const [listOf, mapOf] = [64, 128]
const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const simple: Record<number, (value: unknown) => boolean> = {
  0: isText,
  1: isNumber,
  2: (value) => typeof value === 'boolean',
  // On the wire, a time is a number of seconds, or text where the service says so.
  4: isNumber,
  5: isText,
  6: isText,
  7: isNumber,
  15: () => true,
  17: isNumber,
  21: isText,
  42: isText
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const misfitsOfNumber = (type: number, value: unknown, path: string): string[] => {
  if (type & listOf) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    return value.flatMap((one, at) => misfits(type & ~listOf, one, `${path}/${at}`))
  }
  if (type & mapOf) {
    if (!isRecord(value)) return [`${path} is no map`]
    return Object.entries(value).flatMap(([key, one]) => misfits(type & ~mapOf, one, `${path}/${key}`))
  }
  const check = simple[type]
  if (!check) return [`${path}: the model's type ${type} is not known here`]
  return check(value) ? [] : [`${path} is ${JSON.stringify(value)}, not of type ${type}`]
}

/** What a trait of a member says that a number stands for: the body is this member, whatever it holds. */
const isWholeBody = 16

interface Member { shape: unknown, traits: unknown }

/** @returns the shape of a member, and what says how it travels */
const toMember = (type: unknown): Member => {
  const found = typeof type === 'function' ? type() : type
  if (!Array.isArray(found) || found.length !== 2) return { shape: found, traits: 0 }
  return { shape: toMember(found[0]).shape, traits: found[1] }
}

/** A number in a path, a query or a header is text. */
const asTravelled = (value: unknown, traits: unknown): unknown =>
  isRecord(traits) && 'httpQuery' in traits && isText(value) && /^\d+$/.test(String(value)) ? Number(value) : value

/** @returns where the value is not as the model says: a member that it has not, another type, one that is missing */
export const misfits = (schema: unknown, value: unknown, path: string): string[] => {
  const { shape } = toMember(schema)
  if (typeof shape === 'number') return misfitsOfNumber(shape, value, path)
  if (shape === 'unit') return isRecord(value) && Object.keys(value).length === 0 ? [] : [`${path} is not empty`]
  if (!Array.isArray(shape)) return [`${path}: the model's ${JSON.stringify(shape)} is not known here`]
  const [kind, , , , names, types, required = 0] = shape
  if (kind === 0) return misfits(names, value, path)
  if (kind === 1) {
    return Array.isArray(value) ? value.flatMap((one, at) => misfits(names, one, `${path}/${at}`)) : [`${path} is no list`]
  }
  if (kind === 2) {
    return isRecord(value)
      ? Object.entries(value).flatMap(([key, one]) => misfits(types, one, `${path}/${key}`))
      : [`${path} is no map`]
  }
  if (kind !== 3 && kind !== 4) return [`${path}: the model's kind ${kind} is not known here`]
  const members: Member[] = types.map(toMember)
  if (members.some(({ traits }) => traits === isWholeBody)) return []
  if (!isRecord(value)) return [`${path} is no structure`]
  const missing = names.slice(0, required).filter((name: string) => !(name in value))
    .map((name: string) => `${path} lacks ${name}`)
  return [...missing, ...Object.entries(value).flatMap(([name, member]) => {
    const found = members[names.indexOf(name)]
    if (!found) return [`${path} has ${name}, which the model has not`]
    return misfits(found.shape, asTravelled(member, found.traits), `${path}/${name}`)
  })]
}

/** @returns the shape of what is asked or answered. @throws Error where the model has no such operation */
export const shapeOf = (service: string, operation: string, part: 'input' | 'output'): unknown => {
  const model = services[service]?.[`${operation}$`]
  if (!Array.isArray(model)) throw new Error(`AWS's model of ${service} has no operation ${operation}`)
  return model[part === 'input' ? 4 : 5]
}
