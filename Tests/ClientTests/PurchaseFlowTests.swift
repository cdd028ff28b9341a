import Testing

@testable import CounterfoilClient

/// What the flow adds to its tables: who made a proof, which purchase it pays, what the screen says.
@Suite struct `The purchase flow` {
    /// A flow in which somebody is logged in.
    struct Phone {
        var flow = PurchaseFlow()

        init(login: String? = "ada", records: [KeptRecord] = [], hasListed: Bool = true) {
            apply(.launched(records, login: login))
            if hasListed { apply(.listed([])) }
        }

        var state: PurchaseState { flow.screen(of: "coins").state }

        @discardableResult
        mutating func apply(_ events: PurchaseFlow.Event...) -> [PurchaseFlow.Effect] {
            events.flatMap { flow.apply($0, chance: 0) }
        }

        /// Buys up to StoreKit's sheet.
        mutating func pay(_ answer: OrderAnswer = .issued(orderID: "order-1")) {
            let token = if case .issued(let orderID) = answer { orderID } else { "t1" }
            apply(
                .buy(productID: "coins"),
                .ordered(productID: "coins", answer, token: "t1", now: 1),
                .purchaseKept(productID: "coins", token: token, isDurable: true)
            )
        }

        /// What the store and the gateway answer to a proof.
        @discardableResult
        mutating func keep(_ id: String = "1") -> [PurchaseFlow.Effect] {
            let turn = flow.deliveries[id]?.turn ?? -1
            return apply(.proof(transactionID: id, .kept(turn: turn, isDurable: true)))
        }

        @discardableResult
        mutating func answer(_ answer: DeliveryAnswer, to id: String = "1") -> [PurchaseFlow.Effect] {
            let turn = flow.deliveries[id]?.turn ?? -1
            return apply(.proof(transactionID: id, .answered(turn: turn, answer)))
        }

        @discardableResult
        mutating func finish(_ id: String = "1") -> [PurchaseFlow.Effect] {
            apply(.proof(transactionID: id, .finished(turn: flow.deliveries[id]?.turn ?? -1)))
        }
    }

    @Test func `A purchase goes from the tap to the goods`() {
        var phone = Phone()
        #expect(phone.state == .ready)
        phone.apply(.buy(productID: "coins"))
        #expect(phone.state == .ordering)
        phone.apply(.ordered(productID: "coins", .issued(orderID: "order-1"), token: "t1", now: 1))
        let paying = phone.apply(.purchaseKept(productID: "coins", token: "order-1", isDurable: true))
        #expect(paying.first == .purchase(productID: "coins", .purchase(.sample)))
        #expect(phone.state == .paying)
        phone.apply(.purchased(productID: "coins", token: "order-1", .success(.sample(token: "order-1"))))
        #expect(phone.state == .delivering(isSlow: false))
        phone.keep()
        phone.answer(.lost)
        #expect(phone.state == .delivering(isSlow: true))
        phone.apply(.foreground)
        phone.answer(.granted)
        let last = phone.finish()
        #expect(last.first == .purchase(productID: "coins", .forget(KeptPurchase.sample)))
        #expect(last.contains(.proof(transactionID: "1", turn: 6, .forget)))
        #expect(phone.state == .done)
        phone.apply(.acknowledged(productID: "coins"))
        #expect(phone.state == .ready)
    }

    @Test func `A purchase that goes well is never said to be slow`() {
        var phone = Phone()
        phone.pay()
        phone.apply(.purchased(productID: "coins", token: "order-1", .success(.sample(token: "order-1"))))
        phone.keep()
        #expect(phone.answer(.granted) == [.proof(transactionID: "1", turn: 3, .finish)])
        #expect(phone.state == .delivering(isSlow: false))
        phone.finish()
        #expect(phone.state == .done)
    }

    @Test func `Nobody buys twice while a purchase is under way or being delivered`() {
        var phone = Phone()
        phone.pay()
        #expect(phone.apply(.buy(productID: "coins")).isEmpty)
        phone.apply(.purchased(productID: "coins", token: "order-1", .success(.sample(token: "order-1"))))
        #expect(phone.apply(.buy(productID: "coins")).isEmpty)
        phone.keep()
        phone.answer(.lost)
        #expect(phone.apply(.buy(productID: "coins")).isEmpty)
    }

    @Test func `A purchase that cannot be kept is not paid`() {
        var phone = Phone()
        phone.apply(
            .buy(productID: "coins"),
            .ordered(productID: "coins", .issued(orderID: "order-1"), token: "t1", now: 1)
        )
        let effects = phone.apply(.purchaseKept(productID: "coins", token: "order-1", isDurable: false))
        #expect(phone.state == .needsHelp(code: "cannot-keep"))
        #expect(effects.count == 1)
    }

    @Test func `Another login does not pay the order of the first one`() {
        var phone = Phone()
        phone.apply(.buy(productID: "coins"), .login("bob"))
        let effects = phone.apply(
            .ordered(productID: "coins", .issued(orderID: "order-1"), token: "t1", now: 1)
        )
        #expect(!effects.contains { if case .purchase = $0 { true } else { false } })
        #expect(phone.state == .ready)
    }

    static let answers: [(OrderAnswer, PurchaseState)] = [
        (.open(orderID: "o", state: "deferred"), .waitingForApproval),
        (.open(orderID: "o", state: "paid"), .delivering(isSlow: true)),
        (.open(orderID: "o", state: "issued"), .ordering), (.unreachable, .ordering),
        (.refused(code: "limitReached"), .alreadyOwned),
        (.refused(code: "notOnSale"), .needsHelp(code: "notOnSale")),
    ]

    @Test(arguments: answers)
    func `What the gateway says to an order decides whether StoreKit is asked`(
        answer: OrderAnswer,
        state: PurchaseState
    ) {
        var phone = Phone()
        phone.apply(.buy(productID: "coins"), .ordered(productID: "coins", answer, token: "t1", now: 1))
        #expect(phone.state == state)
    }

    @Test func `A proof without an order is that buyer's, also after another login and a death`() {
        var phone = Phone()
        phone.pay(.unreachable)
        let kept = phone.flow.purchases.values.map { KeptRecord.purchase($0) }
        var next = Phone(login: "bob", records: kept)
        next.apply(.seen(.sample()))
        #expect(next.flow.deliveries["1"]?.proof.buyer == "ada")
    }

    @Test func `A proof that nobody made is the next login's, and goes nowhere before`() {
        var phone = Phone(login: nil)
        phone.apply(.seen(.sample()))
        #expect(phone.keep().isEmpty)
        phone.apply(.login("bob"))
        let sent = phone.keep()
        guard case .proof(_, _, .send(let submission))? = sent.first else {
            Issue.record("it is not sent: \(sent)")
            return
        }
        #expect(submission.proof.buyer == "bob" && submission.caller == "bob")
    }

    @Test func `A proof of another login says who made it`() {
        var phone = Phone(login: "bob", records: [.proof(.sample(buyer: "ada"))])
        #expect(phone.flow.deliveries["1"]?.phase == .sending)
        phone.answer(.lost)
        let sent = phone.apply(.login("cleo"))
        guard case .proof(_, _, .send(let submission))? = sent.first else {
            Issue.record("it is not sent: \(sent)")
            return
        }
        #expect(submission.purchasedBy == "ada" && submission.caller == "cleo")
    }

    @Test func `A background failure is no failed purchase`() {
        var phone = Phone()
        phone.apply(.seen(.sample()))
        phone.keep()
        phone.answer(.verdict("parked", finish: false, reason: "unknownProduct"))
        #expect(phone.state == .ready)
    }

    @Test(arguments: [
        (DeliveryAnswer.verdict("parked", finish: false, reason: "unknownProduct"), "parked-unknownProduct"),
        (DeliveryAnswer(status: 200), "answer-not-understood"),
        (DeliveryAnswer(status: 403, code: "forbidden"), "403-forbidden"),
    ])
    func `What waiting does not mend is shown with its code, and the proof stays`(
        answer: DeliveryAnswer,
        code: String
    ) {
        var phone = Phone()
        phone.pay()
        phone.apply(.purchased(productID: "coins", token: "order-1", .success(.sample(token: "order-1"))))
        phone.keep()
        phone.answer(answer)
        #expect(phone.state == .needsHelp(code: code))
        #expect(phone.flow.deliveries["1"]?.phase == .waiting)
    }

    @Test func `Where help is needed the screen has the gateway's detail, of a proof and of an order`() {
        var phone = Phone()
        phone.apply(.buy(productID: "coins"))
        let refused = OrderAnswer.refused(code: "invalid", detail: "The catalog has no coins.")
        phone.apply(.ordered(productID: "coins", refused, token: "t1", now: 1))
        #expect(phone.flow.screen(of: "coins").detail == "The catalog has no coins.")
        #expect(phone.flow.screen(of: "coins").message == nil)
        phone = Phone()
        phone.pay()
        phone.apply(.purchased(productID: "coins", token: "order-1", .success(.sample(token: "order-1"))))
        phone.keep()
        var answer = DeliveryAnswer(status: 403, code: "forbidden")
        answer.detail = "The key is another app's."
        phone.answer(answer)
        #expect(phone.flow.screen(of: "coins").detail == "The key is another app's.")
        phone.apply(.foreground)
        phone.answer(.busy)
        #expect(phone.flow.screen(of: "coins") == PurchaseScreen(state: .delivering(isSlow: true)))
    }

    @Test func `Ask to Buy waits, is reported, and is delivered when it comes`() {
        var phone = Phone()
        phone.pay()
        let effects = phone.apply(.purchased(productID: "coins", token: "order-1", .failure(.deferred)))
        #expect(
            effects.contains(
                .purchase(productID: "coins", .report(orderID: "order-1", buyer: "ada", .deferred))
            )
        )
        #expect(phone.state == .waitingForApproval)
        phone.apply(.seen(.sample(token: "order-1")))
        #expect(phone.state == .delivering(isSlow: false))
    }

    @Test func `A failed purchase shows its error with the gateway's text`() {
        var phone = Phone()
        phone.pay()
        phone.apply(
            .purchased(
                productID: "coins",
                token: "order-1",
                .failure(.failed(domain: "SKErrorDomain", code: "2"))
            ),
            .reported(productID: "coins", message: "Payment did not succeed.")
        )
        let screen = phone.flow.screen(of: "coins")
        #expect(screen.state == .needsHelp(code: "SKErrorDomain 2"))
        #expect(screen.message == "Payment did not succeed.")
    }

    @Test func `A restore says so, and takes no proof from its buyer`() {
        var phone = Phone(login: "bob", records: [.proof(.sample("1", buyer: "ada"))])
        phone.apply(.seen(.sample("1", text: "fresh", isRestore: true)), .seen(.sample("2", isRestore: true)))
        #expect(phone.flow.deliveries["1"]?.latest.isRestore == false)
        #expect(phone.flow.deliveries["1"]?.latest.buyer == "ada")
        #expect(phone.flow.deliveries["2"]?.latest.isRestore == true)
        #expect(phone.flow.deliveries["2"]?.latest.buyer == "bob")
    }

    @Test func `What StoreKit lists once more after it was finished is not another login's`() {
        var phone = Phone(records: [.proof(.sample())])
        phone.answer(.granted)
        phone.finish()
        phone.apply(.login("bob"))
        #expect(phone.apply(.seen(.sample())) == [.proof(transactionID: "1", turn: 0, .finish)])
        phone.apply(.seen(.sample(text: "refunded")))
        #expect(phone.flow.deliveries["1"]?.proof.buyer == "ada")
    }

    @Test func `Orders that nobody pays do not pile up`() {
        var phone = Phone()
        for number in 0..<100 {
            phone.apply(
                .buy(productID: "coins"),
                .ordered(
                    productID: "coins",
                    .issued(orderID: "order-\(number)"),
                    token: "t\(number)",
                    now: Int64(number)
                ),
                .purchaseKept(productID: "coins", token: "order-\(number)", isDurable: true),
                .purchased(productID: "coins", token: "order-\(number)", .failure(.cancelled))
            )
        }
        #expect(phone.flow.purchases.count == PurchaseFlow.maximumKeptPurchases)
        #expect(phone.flow.purchases["order-99"] != nil)
    }
}
