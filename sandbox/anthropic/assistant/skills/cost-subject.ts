import { mentions } from './named.js'

/** What a question about costs has beside the name of that which costs. */
const plainWords = new Set(('a about all also an and any are aws be by can charge charged charges cloud cost ' +
  'costs current day days did do does everything expensive far for from give has have how i in is it last ' +
  'list many me money month most much my now of on our past pay paid paying per please previous region account ' +
  'accounts service services show so spend spending spent bill bills invoice tell than that the this to ' +
  'today total up us was we week were what which will with year yesterday you').split(' '))

/** @returns the words that may name what the costs are of */
const namesIn = (message: string): string[] => (message.toLowerCase().match(/[\p{L}\d][\p{L}\d.-]*/gu) ?? [])
  .filter((word) => word.length > 1 && !plainWords.has(word) && !/^\d+$/.test(word))

/** @returns whether the message may name something, and is worth a look at the tags */
export const mayName = (message: string): boolean => namesIn(message).length > 0

/** @returns which of the values of a tag the message names */
export const valueIn = (message: string, values: string[]): string | undefined =>
  values.find((value) => value !== '' && mentions(message, value))

/** @returns which of AWS's services the message names: "Lambda" is of "AWS Lambda" */
export const awsServiceIn = (message: string, services: string[]): string | undefined => {
  const names = namesIn(message)
  return services.find((service) => service.toLowerCase().split(/[\s-]+/).some((word) => names.includes(word)))
}
