@testable import CounterfoilClient

/// The flow as it is, and broken on purpose in one place: each must break its own law.
enum FlowVariant: String, CaseIterable, Sendable, CustomStringConvertible {
    case asItIs
    case finishBeforeSending
    case finishOn4xx
    case keepAfterSending
    case resendUnderNewLogin
    case giveUpAfterTenTries
    case twoSenders
    case retryAfterIgnored
    case twoPurchases
    case payBeforeTheList

    var description: String { rawValue }

    /// The law that it breaks.
    var broken: FlowLaw? {
        switch self {
        case .asItIs: nil
        case .finishBeforeSending, .finishOn4xx: .finishedOnItsWordAlone
        case .keepAfterSending: .keptBeforeSent
        case .resendUnderNewLogin: .buyerStays
        case .giveUpAfterTenTries: .neverGivenUp
        case .twoSenders: .oneSender
        case .retryAfterIgnored: .retryAfterObeyed
        case .twoPurchases, .payBeforeTheList: .onePurchase
        }
    }
}

/// What must hold on every phone.
enum FlowLaw: String, CaseIterable, Sendable {
    case keptBeforeSent
    case finishedOnItsWordAlone
    case buyerStays
    case oneSender
    case onePurchase
    case retryAfterObeyed
    case neverGivenUp
}

/// A flow of a variant.
struct VariedFlow {
    private static let maximumTries = 10

    let variant: FlowVariant
    private(set) var flow = PurchaseFlow()
    private var tries: [String: Int] = [:]
    private var lastSent: [String: PurchaseFlow.Effect] = [:]

    init(_ variant: FlowVariant) {
        self.variant = variant
    }

    /// The same in a new process; what counts tries has kept them.
    func relaunched() -> VariedFlow {
        var next = VariedFlow(variant)
        next.tries = tries
        return next
    }

    mutating func apply(_ event: PurchaseFlow.Event, chance: Double) -> [PurchaseFlow.Effect] {
        var effects = flow.apply(misread(event), chance: chance)
        if variant == .twoSenders, event == .foreground {
            effects += flow.deliveries.filter { $0.value.phase == .sending }.keys.sorted()
                .compactMap { lastSent[$0] }
        }
        if variant == .twoPurchases, case .buy(let productID) = event,
            let checkout = flow.checkouts[productID], checkout.phase == .paying,
            let purchase = checkout.purchase
        {
            effects.append(.purchase(productID: productID, .purchase(purchase)))
        }
        return effects.flatMap { varied($0, chance) }
    }

    private func misread(_ event: PurchaseFlow.Event) -> PurchaseFlow.Event {
        if variant == .payBeforeTheList, event == .listed(nil) { return .listed([]) }
        guard case .proof(let id, .answered(let turn, let answer)) = event else { return event }
        let isRefusal = answer.status.map { (400..<500).contains($0) } ?? false
        if variant == .finishOn4xx, isRefusal, answer.retryAfterMilliseconds == nil {
            return .proof(transactionID: id, .answered(turn: turn, .granted))
        }
        if variant == .retryAfterIgnored, answer.retryAfterMilliseconds != nil {
            return .proof(transactionID: id, .answered(turn: turn, .lost))
        }
        return event
    }

    private mutating func varied(_ effect: PurchaseFlow.Effect, _ chance: Double) -> [PurchaseFlow.Effect] {
        guard case .proof(let id, let turn, let what) = effect else { return [effect] }
        switch (variant, what) {
        case (.finishBeforeSending, .send):
            return [.proof(transactionID: id, turn: turn, .finish), effect]
        case (.keepAfterSending, .keep):
            let kept = PurchaseFlow.Event.proof(transactionID: id, .kept(turn: turn, isDurable: true))
            return flow.apply(kept, chance: chance) + [effect]
        case (.resendUnderNewLogin, .send(let submission)):
            var proof = submission.proof
            proof.buyer = submission.caller
            let other = Submission(proof: proof, caller: submission.caller, receiptID: submission.receiptID)
            return [.proof(transactionID: id, turn: turn, .send(other))]
        case (.giveUpAfterTenTries, .send):
            tries[id, default: 0] += 1
            return tries[id, default: 0] > Self.maximumTries ? [] : [effect]
        case (.twoSenders, .send):
            lastSent[id] = effect
            return [effect]
        case (_, _): return [effect]
        }
    }
}
