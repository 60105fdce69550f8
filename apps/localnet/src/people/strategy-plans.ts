/** How a simulated creator decides. Between them they make good records and bad ones. */
export type Style = 'momentum' | 'dips' | 'takes-profit' | 'cuts-late' | 'gambler' | 'holds';

export type StrategyPlan = {
  name: string;
  description: string;
  style: Style;
  capitalSol: number;
  coins: number;
  /** Percent points that go into coins at the start. */
  invested: number;
  followers: number;
  autoClear: boolean;
  /** Null for an open-ended one. */
  days: number | null;
  /** Ended soon after it began, so that the square shows a finished record from the first day on. */
  endsEarly?: boolean;
};

const plan = (
  name: string,
  style: Style,
  description: string,
  rest: Partial<Omit<StrategyPlan, 'name' | 'style' | 'description'>> = {},
): StrategyPlan => ({
  name,
  style,
  description,
  capitalSol: 5,
  coins: 3,
  invested: 60,
  followers: 1,
  autoClear: true,
  days: null,
  ...rest,
});

export const STRATEGY_PLANS: readonly StrategyPlan[] = [
  plan('Steady Trend', 'momentum', 'Buys what rises with volume and lets it run.', { followers: 4, capitalSol: 7 }),
  plan('逢低布局', 'dips', '只买回调，慢慢分批进场。', { followers: 3 }),
  plan('Small Wins', 'takes-profit', 'Takes a few percent and goes on to the next coin.', { followers: 3, coins: 4 }),
  plan('Diamond Hands', 'holds', 'Four coins, held through everything.', { coins: 4, invested: 80 }),
  plan('Night Owl', 'gambler', 'Small pools, large swings.', { capitalSol: 3, coins: 2, invested: 40 }),
  plan('短线快进快出', 'takes-profit', '见好就收，每次只赚一点。', { followers: 2, days: 3 }),
  plan('Breakout Desk', 'momentum', 'Follows coins that leave their range.', { followers: 2, coins: 2, invested: 50 }),
  plan('Patience', 'dips', 'Waits for red candles. Half of the capital stays SOL.', { invested: 40, capitalSol: 6 }),
  plan('Never Sell Red', 'cuts-late', 'Waits for losses to come back. They do not always.', {
    followers: 1,
    invested: 85,
  }),
  plan('Weekend Basket', 'holds', 'Five coins for two days.', {
    coins: 5,
    invested: 75,
    days: 2,
    autoClear: false,
  }),
  plan('Coin Flip', 'gambler', 'No opinion, only dice.', { capitalSol: 2, coins: 1, invested: 30 }),
  plan('Rotation', 'momentum', 'Sells the weakest coin for the strongest.', { followers: 2, coins: 4 }),
  plan('稳健组合', 'holds', '三只流动性最好的币，少动。', { coins: 3, invested: 45, capitalSol: 8 }),
  plan('Fast Hands', 'cuts-late', 'Chases what moved and sells too late.', { capitalSol: 3, invested: 70 }),
  plan('First Try', 'gambler', 'A short experiment.', {
    capitalSol: 2,
    coins: 2,
    invested: 70,
    endsEarly: true,
    followers: 0,
  }),
  plan('Morning Scalp', 'takes-profit', 'Opened for one session and closed.', {
    capitalSol: 3,
    coins: 2,
    invested: 60,
    endsEarly: true,
    followers: 1,
  }),
];
