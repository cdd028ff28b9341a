import TestKit

/// What one customer does, decided before it begins.
struct Script: Equatable, Sendable {
    let number: Int
    let habit: Habit
    let buyer: Int
    /// The one who is logged in when the proof is submitted; not the buyer with the habit `otherLogin`.
    ///
    /// With the habits `restores` and `transfers` it is the one who is logged in where the purchase is restored; with
    /// `sharedPhones` the one who hands in the app receipt.
    let submitter: Int
    fileprivate(set) var product: Int
    fileprivate(set) var quantity: Int
    /// Whether the payment carries the order's token; without it the submission names the order.
    fileprivate(set) var carriesToken: Bool
    /// Whether the order carries a number of the studio's own.
    let hasReference: Bool
    /// Whether the phone asks no more after one accepted submission.
    let givesUp: Bool
    /// With `diesBeforeAnswer`: whether it ever comes back.
    let comesBack: Bool
    /// With `diesBeforeAnswer`: how long it lives after it began to submit, in ms.
    let lifeMilliseconds: Int
    /// With `restores`: whether both devices hand in at once; else the second one does when the first has its verdict.
    var restoresAtOnce: Bool { number.isMultiple(of: 2) }
    /// Whether the ledger is looked at as soon as the answer says that the phone may finish.
    let isSampled: Bool
    /// With the habit `refunds`, and with `renewals` where a period is refunded.
    var refund: RefundScript?
    /// With the habit `renewals`.
    var subscription: SubscriptionScript?
    /// With the habit `spends`.
    var spending: SpendingScript?
    /// With the habit `transfers`.
    var transfer: TransferScript?
    /// With the habit `sharedPhones`.
    var sharing: SharingScript?
    /// With the habit `compensations`.
    var compensation: CompensationScript?
}

/// Makes the scripts of all customers: of equal seeds and numbers, equal ones.
struct ScriptGenerator: Sendable {
    /// The most that one customer buys of a consumable at a time.
    static let mostQuantity = 3
    /// One answer in so many is held against the ledger at once.
    static let sampleInterval = 25

    let shares: Shares
    let seed: UInt64

    /// What a customer does who buys of these.
    func script(_ number: Int, buyers: Int, of assortment: Assortment) -> Script {
        var seeds = SeededRandom(seed: seed)
        var random = SeededRandom(seed: seeds.next() &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        let habit = shares.habit(at: Double.random(in: 0..<1, using: &random))
        let buyer = Int.random(in: 0..<buyers, using: &random)
        let stranger = (buyer + Int.random(in: 1..<buyers, using: &random)) % buyers
        let isElsewhere =
            [.otherLogin, .transfers, .sharedPhones].contains(habit)
            || (habit == .restores && (number / 2).isMultiple(of: 2))
        let bought = Int.random(in: 0..<assortment.consumables.count, using: &random)
        let quantity = Int.random(in: 1...Self.mostQuantity, using: &random)
        var script = Script(
            number: number,
            habit: habit,
            buyer: buyer,
            submitter: isElsewhere ? stranger : buyer,
            product: habit == .restores ? assortment.restorableNumber : bought,
            quantity: habit == .restores ? 1 : quantity,
            carriesToken: ![.otherLogin, .restores].contains(habit) || Bool.random(using: &random),
            hasReference: number.isMultiple(of: 4),
            givesUp: Bool.random(using: &random)
                && ![.restores, .transfers, .sharedPhones].contains(habit),
            comesBack: Int.random(in: 0..<4, using: &random) > 0,
            lifeMilliseconds: Int.random(in: 0...20, using: &random),
            isSampled: number.isMultiple(of: Self.sampleInterval)
        )
        switch habit {
        case .renewals: script.subscribe(to: assortment, using: &random)
        case .refunds: script.returnGoods(assortment, using: &random)
        case .spends: script.spending = SpendingScript(using: &random)
        case .transfers: script.move(assortment, using: &random)
        case .sharedPhones: script.share(assortment, using: &random)
        case .compensations:
            // The first is one whose amounts may be taken back in full.
            (script.product, script.quantity, script.carriesToken) = (0, 1, true)
            script.compensation = CompensationScript(using: &random)
        case .assignments: script.product = assigned(of: assortment)
        case .otherLogin:
            if shares.has(.assignments), bought == assigned(of: assortment) { script.carriesToken = true }
        case .plain, .duplicates, .late, .twoAtOnce, .tokenTwice, .diesBeforeAnswer, .restores: break
        }
        return script
    }

    /// The one product that operators assign.
    ///
    /// What is assigned pays its buyer's oldest open order. A proof that names that order by no token, under another
    /// login, then says nothing of whose it is, and is that login's: no right buyer could be told beforehand.
    private func assigned(of assortment: Assortment) -> Int { assortment.consumables.count - 1 }
}

extension Script {
    fileprivate mutating func subscribe(to assortment: Assortment, using random: inout SeededRandom) {
        let numbers = Array(assortment.subscriptionNumbers)
        (product, quantity) = (random.pick(numbers), 1)
        carriesToken = random.flip()
        let script = SubscriptionScript(products: numbers, using: &random)
        subscription = script
        if random.happens(perMille: 400) {
            let period = random.below(script.steps.count + 1)
            refund = RefundScript(ofPeriod: period, using: &random)
        }
    }

    /// Some of what does not get used up goes back, too.
    fileprivate mutating func returnGoods(_ assortment: Assortment, using random: inout SeededRandom) {
        if random.happens(perMille: 250) { (product, quantity) = (assortment.restorableNumber, 1) }
        carriesToken = random.happens(perMille: 800)
        refund = RefundScript(using: &random)
    }

    fileprivate mutating func move(_ assortment: Assortment, using random: inout SeededRandom) {
        guard !assortment.movableNumbers.isEmpty else { return }
        (product, quantity) = (random.pick(assortment.movableNumbers), 1)
        carriesToken = random.flip()
        transfer = TransferScript(using: &random)
    }

    fileprivate mutating func share(_ assortment: Assortment, using random: inout SeededRandom) {
        if random.happens(perMille: 250) { (product, quantity) = (assortment.restorableNumber, 1) }
        sharing = SharingScript(using: &random)
    }
}
