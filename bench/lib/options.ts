import { parseArgs } from 'node:util'

export interface Options {
  only: string[]
  targets: string[]
  rounds: number
  quick: boolean
  profile: string | undefined
}

const list = (text: string | undefined) => text?.split(',').map((word) => word.trim()).filter(Boolean) ?? []

/** Reads the command line. An empty list means all. */
export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      targets: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' }
    }
  })
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number from 1')
  const targets = values.profile ? [values.profile] : list(values.targets)
  return { only: list(values.only), targets, rounds, quick: values.quick, profile: values.profile }
}

/** Picks by name. @throws when a name fits none */
export const pick = <T extends { key: string, alias?: string }>(all: T[], names: string[], kind: string): T[] => {
  const fits = ({ key, alias }: T, name: string) =>
    [key.toLowerCase(), alias].includes(name.toLowerCase())
  const unknown = names.find((name) => !all.some((item) => fits(item, name)))
  if (unknown) throw new Error(`no ${kind} ${unknown}: ${all.map((item) => item.key).join(', ')}`)
  return names.length === 0 ? all : all.filter((item) => names.some((name) => fits(item, name)))
}
