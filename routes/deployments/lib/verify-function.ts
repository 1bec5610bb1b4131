import { pause, StepFailed, type StepContext } from './build-state.js'
import { readTarget, type LambdaTarget } from './deploy-function.js'

const againMs = 2_000
/** AWS's reads may be older than its writes: one that contradicts is repeated. */
const maxContradictions = 3

/** Reads the function again: it can be invoked, and is made of the image that was deployed. */
export const verifyFunction = async (context: StepContext, target: LambdaTarget): Promise<'succeeded'> => {
  const { state, signal, log } = context
  const { image } = state.row
  for (let contradictions = 0; ; await pause(againMs, signal)) {
    const found = await readTarget(context, target)
    if (!found || found.state === 'Pending') continue
    if (found.image !== null && found.image !== image) {
      if (++contradictions < maxContradictions) continue
      throw new StepFailed(`The function is made of ${found.image}, not of ${image}`)
    }
    if (found.state === 'Failed') throw new StepFailed('The function cannot be invoked: its state is Failed')
    if (found.image_digest !== null) await state.write({ image_digest: found.image_digest })
    await log(found.image === null
      ? 'The function took the change over; its image may not be read here (lambda:GetFunction)'
      : `The function is ${found.state ?? 'there'} and made of ${image}`)
    return 'succeeded'
  }
}
