/** The time of the seed's last event. It is fixed, so that hashes and natural keys are the same after every start. */
export const seedEnd = Date.parse('2026-11-20T08:30:00Z')
