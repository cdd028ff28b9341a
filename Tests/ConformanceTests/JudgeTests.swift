import Testing

@testable import Conformance

@Suite struct `the judge` {
    /// What is seen, and the law that the last of it breaks.
    struct Transcript: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seen: [Observation]
        let broken: Law?

        init(_ name: String, _ seen: [Observation], breaks law: Law? = nil) {
            testDescription = name
            self.seen = seen
            broken = law
        }
    }

    private static let payment = Payment(
        transactionID: "1",
        productID: "coins",
        appAccountToken: nil,
        signedTransaction: "proof"
    )
    private static let came: [Observation] = [
        .given(.transaction(payment), at: 1_000), .handled(.transaction(payment)),
    ]
    private static let later = Observation.given(.tick, at: 11_000)
    private static let sent = Observation.asked(request(.proof))
    private static let question = Observation.asked(request(.question(wait: 5_000)))

    private static func ordered(
        _ outcome: OrderRequest.Outcome,
        of productID: String = "coins",
        key: String = "a"
    ) -> Observation {
        .ordered(OrderRequest(key: key, productID: productID, outcome: outcome))
    }

    private static func pays(_ productID: String = "coins", with token: String? = nil) -> Observation {
        .wrote(.pay(productID: productID, appAccountToken: token))
    }

    private static func request(
        _ kind: ProofRequest.Kind,
        as buyer: String = "ada",
        naming owner: String? = nil
    ) -> ProofRequest {
        ProofRequest(kind: kind, transactions: ["1"], caller: buyer, purchasedBy: buyer, orderOf: owner)
    }

    private static func answered(_ answer: GatewayAnswer) -> Observation {
        .answered(request(.proof), answer)
    }

    static let transcripts = [
        Transcript(
            "a proof that is sent, granted and finished",
            came + [sent, answered(.granted), .wrote(.finish("1"))]
        ),
        Transcript(
            "finish before an answer",
            came + [sent, .wrote(.finish("1"))],
            breaks: .finishesOnFinishAlone
        ),
        Transcript(
            "finish of what nobody handed over",
            came + [.wrote(.finish("2"))],
            breaks: .finishesOnFinishAlone
        ),
        Transcript("two requests at once", came + [sent, later, question], breaks: .sendsOneAtATime),
        Transcript("a second request after a lost answer", came + [sent, answered(.lost), later, sent]),
        Transcript("a second request after a kill", came + [sent, .killed, sent]),
        Transcript(
            "a request before Retry-After",
            came + [sent, answered(.problem(status: 503, code: "unavailable", retryAfter: 11)), later, sent],
            breaks: .obeysRetryAfter
        ),
        Transcript(
            "a request at the time of Retry-After",
            came + [sent, answered(.problem(status: 503, code: "unavailable", retryAfter: 10)), later, sent]
        ),
        Transcript(
            "a request by a new life before Retry-After, which that cannot know",
            came + [
                sent, answered(.problem(status: 503, code: "unavailable", retryAfter: 11)), .killed, sent,
            ]
        ),
        Transcript(
            "a proof as another buyer's",
            came + [
                .given(.login(Login(buyerID: "bob", token: "")), at: 1_000),
                .asked(request(.proof, as: "bob")),
            ],
            breaks: .keepsBuyer
        ),
        Transcript(
            "a proof of which the client was not yet told when it was killed",
            [
                came[0], .killed, .given(.login(Login(buyerID: "bob", token: "")), at: 1_000), came[0],
                .asked(request(.proof, as: "bob")),
            ]
        ),
        Transcript(
            "a question without wait",
            came + [sent, answered(.pending), .asked(request(.question(wait: nil)))],
            breaks: .waitsForVerdicts
        ),
        Transcript(
            "a payment of what is paid already",
            came + [ordered(.unavailable("")), pays()],
            breaks: .paysOnce
        ),
        Transcript(
            "a payment of another product",
            came + [ordered(.unavailable(""), of: "gems"), pays("gems")]
        ),
        Transcript(
            "two sheets for one product",
            [ordered(.unavailable("")), pays(), pays()],
            breaks: .paysOnce
        ),
        Transcript("a payment without an order", [pays()], breaks: .ordersBeforePaying),
        Transcript(
            "a payment without an order of the next purchase",
            [ordered(.issued(token: "t")), .given(.buy(productID: "coins"), at: 0), pays()],
            breaks: .ordersBeforePaying
        ),
        Transcript(
            "a payment of an order for which an earlier life has asked",
            [ordered(.issued(token: "t")), .killed, pays(with: "t")],
            breaks: .ordersBeforePaying
        ),
        Transcript(
            "a payment of an order for which this life has asked again",
            [ordered(.issued(token: "t")), .killed, ordered(.issued(token: "t")), pays(with: "t")]
        ),
        Transcript("a payment without an order and without a network", [.given(.offline, at: 0), pays()]),
        Transcript("a payment with the order's token", [ordered(.issued(token: "t")), pays(with: "T")]),
        Transcript(
            "a payment without the order's token",
            [ordered(.issued(token: "t")), pays()],
            breaks: .paysWithToken
        ),
        Transcript(
            "a payment with another token",
            [ordered(.issued(token: "t")), pays(with: "u")],
            breaks: .paysWithToken
        ),
        Transcript("a payment where no order could be had", [ordered(.unavailable("")), pays(with: "u")]),
        Transcript(
            "a payment after a refusal",
            [ordered(.refused("a 422 (notOnSale)")), pays()],
            breaks: .obeysRefusals
        ),
        Transcript(
            "a payment of an order that waits for approval",
            [ordered(.open(state: "deferred")), pays()],
            breaks: .paysOnce
        ),
        Transcript(
            "another buyer's order beside a proof",
            came + [.asked(request(.proof, naming: "bob"))],
            breaks: .keepsBuyer
        ),
        Transcript("the buyer's own order beside a proof", came + [.asked(request(.proof, naming: "ada"))]),
        Transcript(
            "an offer to a buyer who waits",
            came + [.wrote(.show(.ready, productID: nil))],
            breaks: .saysWhatIsSo
        ),
        Transcript("an offer of another product", came + [.wrote(.show(.ready, productID: "gems"))]),
        Transcript(
            "an offer to the next login",
            came + [
                .given(.login(Login(buyerID: "bob", token: "")), at: 1_000),
                .wrote(.show(.ready, productID: "coins")),
            ]
        ),
        Transcript(
            "done before the answer",
            came + [sent, .wrote(.show(.done, productID: "coins"))],
            breaks: .saysWhatIsSo
        ),
        Transcript(
            "an order with another key",
            [ordered(.unavailable("")), ordered(.unavailable(""), key: "b")],
            breaks: .makesOneOrder
        ),
        Transcript(
            "the order of the next purchase",
            [
                ordered(.unavailable("")), .given(.buy(productID: "coins"), at: 0),
                ordered(.unavailable(""), key: "b"),
            ]
        ),
        Transcript(
            "as many requests without a pause as there may be",
            came + Array(repeating: [sent, answered(.failed)], count: Judge.mostRequestsAtATime).joined()
        ),
        Transcript(
            "more requests without a pause",
            came + Array(repeating: [sent, answered(.failed)], count: Judge.mostRequestsAtATime).joined() + [
                sent
            ],
            breaks: .asksInModeration
        ),
    ]

    @Test(arguments: transcripts)
    func `finds what breaks a law, and nothing else`(transcript: Transcript) {
        var judge = Judge(buyer: "ada", at: 0)
        for (index, observation) in transcript.seen.enumerated() {
            var law: Law?
            do { try judge.apply(observation) } catch { law = error.law }
            #expect(law == (index == transcript.seen.count - 1 ? transcript.broken : nil))
        }
    }

    @Test(arguments: [
        GatewayAnswer.pending, .failed, .unauthorized, .lost, .finish(status: 202), .finish(status: 409),
        .text(status: 200, "{}"), .verdict("parked", finish: false), .verdict("invalid", finish: false),
        .problem(status: 404, code: "notFound"), .problem(status: 413, code: "tooLarge"),
    ])
    func `lets nobody finish after any other answer`(answer: GatewayAnswer) {
        var judge = Judge(buyer: "ada", at: 0)
        #expect(throws: Never.self) {
            for observation in Self.came + [Self.sent, Self.answered(answer)] { try judge.apply(observation) }
        }
        let violation = #expect(throws: Violation.self) { try judge.apply(.wrote(.finish("1"))) }
        #expect(violation?.law == .finishesOnFinishAlone)
        #expect(violation?.description.contains("after \(answer)") == true)
    }
}
