// Figure beside figure, for people and for programs: whoever prints a report brings the words.

export type FigureKey =
  | 'transactions'
  | 'tradeTokens'
  | 'tradeSol'
  | 'tradeFee'
  | 'tradeSide'
  | 'held'
  | 'cost'
  | 'poolVaults'
  | 'coinsHeld'
  | 'freeSol'
  | 'equity'
  | 'profit'
  | 'yield'
  | 'handedOver'
  | 'solReturned'
  | 'closedTrips'
  | 'winRate'
  | 'unsoldAtLoss'
  | 'realized'
  | 'networkFees'
  | 'drawdown'
  | 'otherRounds'
  | 'hiddenSwaps'
  | 'missingRounds'
  | 'otherSwaps';

export type Figure = {
  key: FigureKey;
  /** A token's symbol or a transaction's hash, for figures of which there are several. */
  subject: string | null;
  published: string | null;
  recomputed: string | null;
  /** `computed` has nothing published beside it; `published` cannot be recomputed from the wallet's transactions. */
  verdict: 'same' | 'different' | 'computed' | 'published';
};

export class Report {
  readonly figures: Figure[] = [];

  get differences(): number {
    return this.figures.filter(({ verdict }) => verdict === 'different').length;
  }

  compare(key: FigureKey, published: string, recomputed: string, subject: string | null = null): void {
    this.figures.push({
      key,
      subject,
      published,
      recomputed,
      verdict: published === recomputed ? 'same' : 'different',
    });
  }

  computed(key: FigureKey, recomputed: string): void {
    this.figures.push({ key, subject: null, published: null, recomputed, verdict: 'computed' });
  }

  published(key: FigureKey, published: string): void {
    this.figures.push({ key, subject: null, published, recomputed: null, verdict: 'published' });
  }
}
