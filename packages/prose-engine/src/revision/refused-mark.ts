/** Replaces a refused passage; no text with it passes a review. */
export const refusedMark = '[[WRITE: what the model wrote here is in no source]]'
