import { CompiledQuery, type Compilable } from 'kysely'
import { isUsualLimit, type Db } from './index.js'

/** Stands for a parameter while a statement is built. */
class Hole {
  constructor (readonly name: string) {}

  /** A value that is looked at while the text is built would stay in it for all that follow. */
  [Symbol.toPrimitive] (): never {
    throw new Error(`The value of ${this.name} is not known yet: give the statement what is made of it`)
  }
}

interface Shape { text: string, values: readonly unknown[] }

/** Whether it decides the text, in which it is written out. */
const isWritten = (name: string, value: unknown): boolean =>
  value === undefined || typeof value === 'boolean' || (name === 'limit' && isUsualLimit(value))

const shapeOf = (params: object): string => {
  let shape = ''
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) shape += isWritten(name, value) ? `${name}=${value} ` : `${name} `
  }
  return shape
}

const withHoles = <P extends object>(params: P): P =>
  // Built with, never read: a hole goes where the value will.
  Object.fromEntries(Object.entries(params).map(([name, value]) =>
    [name, isWritten(name, value) ? value : new Hole(name)])) as P

/**
 * A query of Kysely whose text is made once for each combination of parameters, not at every call: making it costs more
 * than sending it and reading a page. `undefined`, booleans and the usual limits decide the text; all else is a
 * parameter, which the builder passes on without looking at it.
 */
export const shaped = <P extends object, R>(build: (db: Db, params: P) => Compilable<R>) => {
  const shapes = new Map<string, Shape>()
  return async (db: Db, params: P): Promise<R[]> => {
    const name = shapeOf(params)
    let shape = shapes.get(name)
    if (!shape) {
      const { sql, parameters } = build(db, withHoles(params)).compile()
      shapes.set(name, shape = { text: sql, values: parameters })
    }
    const known = params as Record<string, unknown> // By the names that its holes have.
    const values = shape.values.map((value) => value instanceof Hole ? known[value.name] : value)
    return (await db.executeQuery<R>(CompiledQuery.raw(shape.text, values))).rows
  }
}
