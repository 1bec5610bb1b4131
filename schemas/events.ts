/**
 * An event as its emitter writes it: the name, and the payload without the name and without what is added when it is
 * stored. Made of the union that says what the frames of a stream hold.
 */
export type NewEventOf<Sent extends { type: string }, Added extends string = never> =
  Sent extends { type: infer Name } ? { event: Name, data: Omit<Sent, 'type' | Added> } : never
