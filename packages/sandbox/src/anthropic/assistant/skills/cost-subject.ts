import { mentions } from './named.js'

/** What a question about costs has beside the name of that which costs. */
const plainWords = new Set(('a about all also an and any are aws be by can charge charged charges cloud cost ' +
  'costs current day days did do does everything expensive far for from give has have how i in is it last ' +
  'list many me money month most much my now of on our past pay paid paying per please previous region account ' +
  'accounts service services show so spend spending spent bill bills invoice tell than that the this to ' +
  'today total up us was we week were what which will with year yesterday you each team region regions tag tags ' +
  'quarter weeks months years compared against versus vs than before same instead only more less since during ' +
  'january february march april may june july august september october november december exactly everything ' +
  'infrastructure overall altogether here there much use used using run running so amount pls thanks hey hi ok ' +
  'why go goes went going higher lower increase increased change changed changes rise rose compare comparison ' +
  'q1 q2 q3 q4 daily weekly monthly breakdown split break down table chart report').split(' '))

/** @returns the words that may name what the costs are of */
const namesIn = (message: string): string[] => (message.toLowerCase().match(/[\p{L}\d][\p{L}\d.-]*/gu) ?? [])
  .filter((word) => word.length > 1 && !plainWords.has(word) && !/^\d+$/.test(word))

/** @returns whether the message may name something, and is worth a look at the tags */
export const mayName = (message: string): boolean => namesIn(message).length > 0

/** @returns which of the values of a tag the message names */
export const valueIn = (message: string, values: string[]): string | undefined =>
  values.find((value) => value !== '' && mentions(message, value))

/** Initials as people write them: "Amazon Simple Storage Service" is S3, "Elastic Compute Cloud" EC2. */
const initialsOf = (service: string): string[] => {
  const words = service.replace(/^(Amazon|AWS)\s+/, '').replace(/\s+-.*$/, '').split(/\s+/)
  const initials = words.map((word) => word.charAt(0)).join('').toLowerCase()
  const short = initials.replaceAll(/(.)\1+/g, (run, letter: string) => `${letter}${run.length}`)
  return words.length > 1 ? [initials, short] : []
}

/** @returns which of AWS's services the message names: "Lambda" is of "AWS Lambda", "ECS" has its initials */
export const awsServiceIn = (message: string, services: string[]): string | undefined => {
  const names = namesIn(message)
  return services.find((service) => initialsOf(service).some((initials) => names.includes(initials))) ??
    services.find((service) => service.toLowerCase().split(/[\s-]+/).some((word) => names.includes(word)))
}

/** Where the name of that which costs stands in a question. */
const ofWhich = /\b(?:costs? of|spen[dt] (?:\w+ ){0,3}on|pay for|bill for|does|do)\s+(?:the\s+|our\s+)?([\w-]+)/gi

/** @returns what a question is about that has no costs of its own */
export const unknownIn = (message: string): string | undefined => {
  const names = namesIn(message)
  return [...message.matchAll(ofWhich)].map(([, word = '']) => word).find((word) => names.includes(word.toLowerCase()))
}
