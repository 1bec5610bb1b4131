/** Everything is derived from these lines and the day, so thirteen months cost no memory. */
export interface CostBook {
  lines: CostLine[]
  anomalies: CostSpike[]
  /** False = the forecast answers DataUnavailableException, as for a new account. */
  forecastable: boolean
}

export interface CostLine {
  service: string
  usageType: string
  region: string
  recordType: 'Usage' | 'Tax' | 'Credit' | 'Refund' | 'SavingsPlanRecurringFee'
  /** Dollars a day at the beginning of the book. */
  perDay: number
  /** Growth over a year: 0.3 = 30 %. */
  growth: number
  /** The share that remains on weekends. */
  weekend: number
  /** Charged once, on the first day, for the whole month. */
  monthly: boolean
  /** Units used for a dollar. */
  unitsPerDollar: number
  tags: Record<string, string>
}

export interface CostSpike {
  id: string
  service: string
  usageType: string
  region: string
  /** Days before today, first and last. */
  from: number
  to: number
  /** Dollars a day on top. */
  perDay: number
  score: number
}
