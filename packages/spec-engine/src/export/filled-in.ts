import type { Requirement } from '../schemas/document.js'

/** @returns which of these the model passed over and code took from the inputs; '' where there are none */
export const filledInNotice = (requirements: readonly Requirement[], nameOf: (item: Requirement, at: number) => string):
string => {
  const names = requirements.flatMap((item, at) => item.filled_in ? [nameOf(item, at)] : [])
  return names.length === 0
    ? ''
    : `Filled in, because the model passed over these sentences of the inputs: ${names.join(', ')}.`
}
