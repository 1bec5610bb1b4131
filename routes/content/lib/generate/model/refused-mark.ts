/** Stands where something was refused; a review does not let it pass. */
export const refusedMark = '[[WRITE: what the model wrote here is in no source]]'
