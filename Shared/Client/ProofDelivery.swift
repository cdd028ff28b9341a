/// One proof's way to the gateway: decides when it is kept, sent, finished and forgotten.
///
/// | phase \ event | same | newer | kept | notKept | finish | unfinished | retryAfter | due | wake | finished |
/// |---|---|---|---|---|---|---|---|---|---|---|
/// | keeping | – | note | send: sending | send: sending | – | – | – | – | – | – |
/// | unkept | keep: keeping | keep: keeping | – | – | – | – | – | keep: keeping | keep: keeping | – |
/// | waiting | send: sending | keep: keeping | – | – | – | – | – | send: sending | send: sending | – |
/// | held | – | note | – | – | – | – | – | send: sending | – | – |
/// | sending | – | note | – | – | finish: finishing | wait: waiting | wait: held | – | – | – |
/// | finishing | – | note | – | – | – | – | – | – | – | forget: gone |
///
/// *same* and *newer* are the transaction seen again, with the same proof or another; *finish* is `"finish": true` in a
/// 200; *unfinished* is every other answer, and none; *wake* is a launch, a login, the foreground, a purchase, the
/// network. What was noted is kept in place of the next send, finish or forget. With nobody logged in the proof waits
/// where the table sends it. A proof that the store refuses (a full disk) is sent all the same, but waits in `unkept`,
/// and *finish* is *unfinished* to it until it is kept.
/// An effect's answer counts if it bears the turn of the last effect: one sender at a time, and old timers are mute.
package struct ProofDelivery: Equatable, Sendable {
    /// How far the proof has come.
    package enum Phase: String, Equatable, Sendable, CaseIterable {
        case keeping, unkept, waiting, held, sending, finishing, gone
    }

    /// What happens to a proof.
    package enum Event: Equatable, Sendable {
        case seen(Proof)
        case kept(turn: Int, isDurable: Bool)
        case answered(turn: Int, DeliveryAnswer)
        case due(turn: Int)
        case wake
        case finished(turn: Int)
    }

    /// What is to be done with it.
    package enum Effect: Equatable, Sendable {
        /// Make it durable, then say `kept`.
        case keep(Proof)
        /// Hand it in, then say `answered`.
        case send(Submission)
        /// Say `due` after so many ms.
        case wait(milliseconds: Int64)
        /// Finish the transaction, then say `finished`.
        case finish
        /// Delete it from the store.
        case forget
        /// Ask Apple for the app's receipt anew: the one that was sent is empty.
        case refreshReceipt
    }

    package private(set) var proof: Proof
    package private(set) var phase: Phase
    package private(set) var turn = 0
    /// The last answer; nil before the first one.
    package private(set) var lastAnswer: DeliveryAnswer?
    private var newer: Proof?
    /// Whether the store has what is sent.
    private var isDurable: Bool
    private var backoff = Backoff()

    /// A proof that the store had, or one that was just seen: then `wake` keeps it.
    package init(_ proof: Proof, isKept: Bool) {
        (self.proof, phase, isDurable) = (proof, isKept ? .waiting : .unkept, isKept)
    }

    /// The proof with what is noted.
    package var latest: Proof { newer ?? proof }
    /// Whether a try failed, or the answer was that it is not decided yet.
    package var isSlow: Bool { lastAnswer?.mayFinish == false || backoff.failures > 0 }

    /// `caller` is who is logged in, `chance` a random number from 0 to 1.
    package mutating func apply(_ event: Event, caller: String?, chance: Double) -> [Effect] {
        switch (phase, event) {
        case (.gone, _): []
        case (_, .seen(let seen)): see(seen, caller, chance)
        case (.keeping, .kept(turn, let isDurable)): kept(isDurable, caller, chance)
        case (.unkept, .due(turn)), (.unkept, .wake): keep()
        case (.waiting, .due(turn)), (.waiting, .wake): send(caller, chance)
        case (.held, .due(turn)): keepNewer() ?? (isDurable ? send(caller, chance) : keep())
        case (.sending, .answered(turn, let answer)): answered(answer, chance)
        case (.finishing, .finished(turn)): keepNewer() ?? enter(.gone, [.forget])
        // The dashes of the table, and what bears an old turn.
        case (_, .kept), (_, .answered), (_, .due), (_, .wake), (_, .finished): []
        }
    }

    private mutating func kept(_ isDurable: Bool, _ caller: String?, _ chance: Double) -> [Effect] {
        self.isDurable = isDurable
        return keepNewer() ?? send(caller, chance)
    }

    private mutating func see(_ seen: Proof, _ caller: String?, _ chance: Double) -> [Effect] {
        switch phase {
        case .waiting where seen == latest: return send(caller, chance)
        case .unkept, .waiting: return keep(seen)
        case .keeping, .held, .sending, .finishing, .gone:
            if seen != latest { newer = seen }
            return []
        }
    }

    private mutating func answered(_ answer: DeliveryAnswer, _ chance: Double) -> [Effect] {
        if receiptToPoll != nil, answer.status == 404 {
            // Another login's receipt is not found: nothing is wrong with the proof.
            lastAnswer = nil
        } else if answer.status != nil || lastAnswer == nil {
            // A lost answer takes nothing back of what an earlier one has said.
            lastAnswer = answer
        }
        if !answer.mayFinish, let asked = answer.retryAfterMilliseconds {
            return enter(.held, [.wait(milliseconds: backoff.obey(asked, chance: chance))])
        }
        if let effects = keepNewer() { return effects }
        guard !answer.mayFinish || !isDurable else { return enter(.finishing, [.finish]) }
        return (answer.receipt?.reason == "emptyReceipt" ? [.refreshReceipt] : []) + pause(chance)
    }

    private mutating func keep() -> [Effect] { enter(.keeping, [.keep(proof)]) }
    private mutating func keepNewer() -> [Effect]? { newer.map { keep($0) } }

    /// What was answered to the older one says nothing of this one.
    private mutating func keep(_ newer: Proof) -> [Effect] {
        (proof, self.newer, lastAnswer) = (newer, nil, nil)
        return keep()
    }

    private mutating func send(_ caller: String?, _ chance: Double) -> [Effect] {
        guard let caller, proof.buyer != nil else { return isDurable ? enter(.waiting, []) : pause(chance) }
        return enter(.sending, [.send(Submission(proof: proof, caller: caller, receiptID: receiptToPoll))])
    }

    /// The receipt of a 202; one that the gateway does not find is sent anew.
    private var receiptToPoll: String? { lastAnswer?.status == 202 ? lastAnswer?.receipt?.receiptId : nil }

    private mutating func pause(_ chance: Double) -> [Effect] {
        enter(isDurable ? .waiting : .unkept, [.wait(milliseconds: backoff.next(chance: chance))])
    }

    private mutating func enter(_ phase: Phase, _ effects: [Effect]) -> [Effect] {
        (self.phase, turn) = (phase, turn + 1)
        return effects
    }
}
