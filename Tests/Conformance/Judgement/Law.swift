/// A rule for every client; each says what breaking it costs.
enum Law: String, CaseIterable, Sendable {
    case finishesOnFinishAlone
    case finishesWhatIsDone
    case keepsBeforeSending
    case keepsBuyer
    case sendsProofsAsTheyAre
    case sendsOneAtATime
    case obeysRetryAfter
    case neverGivesUp
    case waitsForVerdicts
    case asksInModeration
    case saysWhatIsSo
    case paysOnce
    case refreshesReceipts
    case makesOneOrder
    case ordersBeforePaying
    case paysWithToken
    case sellsWithoutOrder
    case sellsWhatIsWanted
    case obeysRefusals

    /// The rule of *The flow in eight rules* that says it; nil of what goes without saying.
    var rule: Int? {
        switch self {
        case .refreshesReceipts: 1
        case .makesOneOrder, .ordersBeforePaying, .paysWithToken, .sellsWithoutOrder, .obeysRefusals: 2
        case .keepsBeforeSending: 3
        case .keepsBuyer, .sendsProofsAsTheyAre: 4
        case .finishesOnFinishAlone, .finishesWhatIsDone: 5
        case .obeysRetryAfter, .neverGivesUp, .asksInModeration: 6
        case .sendsOneAtATime, .waitsForVerdicts, .paysOnce: 7
        case .saysWhatIsSo: 8
        case .sellsWhatIsWanted: nil
        }
    }

    /// Why a client that breaks the rule loses money.
    var loss: String {
        switch self {
        case .finishesOnFinishAlone:
            "StoreKit forgets a transaction that is finished: the buyer has paid and may never get the goods"
        case .finishesWhatIsDone:
            "StoreKit hands an unfinished transaction over again at each launch, and may refuse to sell the product again"
        case .keepsBeforeSending:
            "a phone that dies while it sends has no proof any more: the buyer has paid and gets nothing"
        case .keepsBuyer: "the goods go to another buyer than the one who paid"
        case .sendsProofsAsTheyAre:
            "a proof that was changed proves nothing: the buyer has paid and gets nothing"
        case .sendsOneAtATime:
            "two senders overtake each other, and the older answer decides what is finished and shown"
        case .obeysRetryAfter:
            "phones that do not wait keep a busy server down, and nobody gets what they paid for"
        case .neverGivesUp: "the buyer has paid and gets nothing until somebody asks for a refund"
        case .waitsForVerdicts:
            "the goods come later than they could, and the phone asks more often than it has to"
        case .asksInModeration:
            "phones that ask without a pause bring a server down, and nobody gets what they paid for"
        case .saysWhatIsSo: "a buyer who is told something else pays again, or asks for the money back"
        case .paysOnce: "the buyer pays twice for one thing, and asks for the money back"
        case .refreshesReceipts:
            "without a receipt nothing proves the payment: the buyer has paid and gets nothing"
        case .makesOneOrder:
            "every repetition leaves an open order that nobody pays, until no more may be made"
        case .ordersBeforePaying:
            "without an order a payment whose phone is lost before it sends the proof is nobody's"
        case .paysWithToken:
            "Apple signs the token; without it nothing says who has paid, and another buyer may get the goods"
        case .sellsWithoutOrder: "as long as the gateway is down or busy, nobody who wants to pay can"
        case .sellsWhatIsWanted: "a buyer who wants to pay cannot, and nothing is sold"
        case .obeysRefusals: "the buyer pays for what is not for sale, and asks for the money back"
        }
    }
}

/// A law that a client broke, and how.
struct Violation: Error, Equatable, CustomStringConvertible {
    let law: Law
    /// What the client did instead.
    let deed: String

    init(_ law: Law, _ deed: String) {
        self.law = law
        self.deed = deed
    }

    var description: String { "\(deed): \(law.loss)" }
}
