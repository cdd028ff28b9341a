import Contracts
import Domain
import Foundation
import HTTPTypes
import Program
import TestKit
import Testing

@testable import Gateway

@Suite struct `Operators` {
    private static let order = FakeCaller.orderID
    private static let compensation =
        #"{"productId":"coins.100","buyerId":"b1","bundleId":"com.example.game","reason":"ticket 4711","orderId":"\#(order)"}"#
    private static let assignment =
        #"{"transactionId":"7","buyerId":"b1","bundleId":"com.example.game","reason":"ticket 4711"}"#
    private static let move =
        #"{"purchaseId":"7","buyerId":"b2","bundleId":"com.example.game","reason":"ticket 4711"}"#

    /// A group in which one partition knows a purchase of this product, which this buyer holds.
    private static func gateway(
        _ product: String = "coins.100",
        heldBy holder: BuyerID? = TestGateway.buyer,
        catalog: Catalog = TestGateway.catalog,
        known state: String? = nil,
        given: Bool? = nil
    ) -> TestGateway {
        TestGateway(
            { request, partition throws(Problem) in
                switch request {
                case let look as ClaimReassignV1:
                    guard partition.partition == 2 else { throw Problem.notFound("not here") }
                    return ReassignmentV1(
                        bundleId: TestGateway.bundle,
                        purchaseId: look.purchaseId,
                        productId: ProductID(unchecked: product),
                        holderId: holder,
                        orderId: nil,
                        heldBy: nil,
                        appAccountToken: nil,
                        parked: [],
                        buyerId: look.buyerId ?? TestGateway.buyer,
                        effect: holder == nil ? .proposed : .moves
                    )
                case let propose as ReassignmentProposeV1:
                    return ReassignmentProposalV1(
                        proposalId: propose.proposalId,
                        bundleId: propose.bundleId,
                        environment: propose.environment,
                        purchaseId: propose.purchaseId,
                        productId: ProductID(unchecked: "coins.100"),
                        quantity: 1,
                        holderId: TestGateway.buyer,
                        buyerId: propose.buyerId,
                        reason: propose.reason,
                        proposedBy: propose.operatorId,
                        proposedAt: Timestamp(milliseconds: 1)
                    )
                case let propose as CompensationProposeV1:
                    return CompensationV1(propose, at: Timestamp(milliseconds: 1))
                case is OperatorCountV1: return OperatorCount(day: 1, count: 1, isNew: true)
                case is GivenAmountsGetV1: return GivenAmounts(hasGiven: given)
                case is ActsListV1: return [Act]()
                case is FactsFindV1: return found(state)
                case is DeskListV1: return DeskPage(rows: [], hasMore: false)
                default: return nil
                }
            },
            catalog: catalog
        )
    }

    /// A catalog in which the product gives access alone.
    private static let castle = Catalog(products: [
        Catalog.Product(
            productId: ProductID(unchecked: "castle"),
            type: .nonConsumable,
            grants: [.init(entitlement: "castle")]
        )
    ])

    @Test(arguments: ["", "/operator", "/compensations", "/assignments", "/acts"])
    func `are never served where purchases are made`(path: String) async throws {
        let gateway = Self.gateway()
        #expect(!gateway.context.routes.contains { $0.path.hasPrefix("/v1/admin") })
        let response = try await gateway.get("/v1/admin" + path)
        #expect(response.status == 404)
    }

    @Test func `are known by a key of their own alone, which a key of an app is not`() async throws {
        let gateway = Self.gateway()
        for route in gateway.context.operations where route.path.hasPrefix("/v1/admin") {
            let path = String(route.path.dropFirst("/v1/admin".count))
            let response = try await gateway.act(nil, route.method, path)
            #expect(response.status == 401 && response.headers[.wwwAuthenticate] == "Bearer", "\(path)")
        }
        #expect(gateway.caller.calls.isEmpty)
        #expect(try await gateway.act(.read, .get, "/operator")["role"] == .string("read"))
    }

    @Test func `need no cookie, and get none`() async throws {
        let gateway = Self.gateway()
        var headers: HTTPFields = [:]
        headers[.cookie] = "key of approve; Authorization=Bearer key of approve"
        let responder = gateway.context.operationsResponder()
        let refused = try await responder.reply(to: .get, "/v1/admin/operator", headers: headers)
        #expect(refused.status == 401)
        #expect(try await gateway.act(.read, .get, "/operator").headers[.setCookie] == nil)
    }

    @Test(arguments: [
        ("/compensations", OperatorRole.read), ("/assignments", .read), ("/reassignments", .read),
        ("/proposals/c4f2a0123456789abcdef0123456789ab/confirm", .support),
        ("/proposals/c4f2a0123456789abcdef0123456789ab/reverse", .read),
    ])
    func `are refused what their role may not do, without a trace`(
        path: String,
        role: OperatorRole
    )
        async throws
    {
        let gateway = Self.gateway()
        let response = try await gateway.act(role, .post, path, Self.compensation)
        #expect(response.status == 403 && response["code"] == .string("roleNeeded"))
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `propose a compensation on an unpaid order of the buyer, and it is counted`() async throws {
        let gateway = Self.gateway()
        let response = try await gateway.act(.support, .post, "/compensations", Self.compensation)
        #expect(response.status == 201, "\(response.text)")
        let proposed = try #require(gateway.caller.requests(CompensationProposeV1.self).first)
        #expect(proposed.basis == CompensationBasis(kind: .order, orderId: Self.order))
        #expect(proposed.operatorId == TestGateway.operators.operators[1].id)
        let counted = try #require(gateway.caller.requests(OperatorCountV1.self).first)
        #expect(counted.proposalId == proposed.proposalId && counted.limit == Limits.operatorActsADay)
        #expect(gateway.caller.requests(OperatorCountV1.self).allSatisfy { $0.isReturned == nil })
        _ = try await gateway.act(.support, .post, "/compensations", Self.compensation)
        let again = gateway.caller.requests(CompensationProposeV1.self)
        #expect(Set(again.map(\.proposalId)).count == 1, "the same key names the same proposal")
        let other = Self.compensation.replacing("b1", with: "b2").replacing(
            #""orderId":"\#(Self.order)""#,
            with: #""goodwill":true"#
        )
        _ = try await gateway.act(.support, .post, "/compensations", other)
        let counts = gateway.caller.requests(OperatorCountV1.self)
        #expect(Set(counts.map(\.actId)).count == 1, "a key is one act, wherever its proposal lies")
        _ = try await gateway.act(.approve, .post, "/compensations", Self.compensation)
        let all = gateway.caller.requests(CompensationProposeV1.self)
        #expect(Set(all.map(\.proposalId)).count == 3, "of its operator, in its partition")
    }

    @Test(arguments: [
        (Problem.notFound("no such proposal"), true), (.unavailable("down"), false), (nil, false),
    ])
    func `have nothing counted that was refused`(problem: Problem?, isReturned: Bool) async throws {
        let acting = TestGateway.operators.operators[2].id
        let gateway = TestGateway { request, _ throws(Problem) in
            switch request {
            case is OperatorCountV1: return OperatorCount(day: 1, count: 1, isNew: true)
            case let decide as CompensationDecideV1:
                if let problem, decide.isDryRun != true { throw problem }
                return Self.confirmed(by: acting)
            default: return nil
            }
        }
        let path = "/proposals/c4f2a0123456789abcdef0123456789ab/confirm"
        let response = try await gateway.act(.approve, .post, path)
        #expect(response.status == problem?.status.code ?? 200)
        let counts = gateway.caller.requests(OperatorCountV1.self)
        #expect(counts.map(\.isReturned) == (isReturned ? [nil, true] : [nil]))
    }

    @Test func `have nothing counted that another one has confirmed before`() async throws {
        let gateway = TestGateway { request, _ throws(Problem) in
            switch request {
            case is OperatorCountV1: OperatorCount(day: 1, count: 1, isNew: true)
            case is CompensationDecideV1: Self.confirmed(by: OperatorID(unchecked: "o0123456789ab"))
            default: nil
            }
        }
        let path = "/proposals/c4f2a0123456789abcdef0123456789ab/confirm"
        #expect(try await gateway.act(.approve, .post, path).status == 200)
        #expect(gateway.caller.requests(OperatorCountV1.self).map(\.isReturned) == [nil, true])
    }

    @Test(arguments: [TestGateway.buyer, nil])
    func `propose no compensation for a transaction that is known`(holder: BuyerID?) async throws {
        let gateway = Self.gateway(heldBy: holder)
        let body = #"""
            {"productId":"coins.100","buyerId":"b1","bundleId":"com.example.game","reason":"ticket 4711",
             "appleOrderId":"mq5lb2jhxy","transactionIds":["7"]}
            """#
        let response = try await gateway.act(.support, .post, "/compensations", body)
        #expect(response.status == 409 && response.field == "transactionIds", "\(response.text)")
        #expect(gateway.caller.requests(CompensationProposeV1.self).isEmpty)
        #expect(gateway.caller.requests(OperatorCountV1.self).isEmpty)
    }

    @Test(arguments: [("granted", 409), ("matched", 409), ("reversed", 201), ("void", 201)])
    func `propose one compensation for an order of Apple's, whoever writes of it`(
        state: String,
        status: Int
    ) async throws {
        let gateway = Self.gateway(known: state)
        let body = #"""
            {"productId":"coins.100","buyerId":"b1","bundleId":"com.example.game","reason":"ticket 4711",
             "appleOrderId":"mq5lb2jhxy"}
            """#
        let response = try await gateway.act(.support, .post, "/compensations", body)
        #expect(response.status == status, "\(response.text)")
        #expect(response.field == (status == 409 ? "appleOrderId" : nil))
        #expect(gateway.caller.requests(FactsFindV1.self).first?.texts == ["MQ5LB2JHXY"])
    }

    /// What another buyer's ledger says of an order of Apple's.
    private static func found(_ state: String?) -> FoundFacts {
        guard let state else { return FoundFacts() }
        var fact = DeskFact(.compensated, at: Timestamp(milliseconds: 1))
        (fact.bundleId, fact.buyerId) = (TestGateway.bundle, BuyerID(unchecked: "somebody"))
        (fact.word, fact.reference) = (state, "c4f2a0123456789abcdef0123456789ab")
        return FoundFacts(facts: [fact])
    }

    @Test func `withdraw a move where its claim is`() async throws {
        let gateway = Self.gateway()
        let path = "/proposals/m00020123456789abcdef0123456789ab/reverse"
        _ = try await gateway.act(.approve, .post, path, #"{"reason":"a mistake"}"#)
        let withdrawn = try #require(gateway.caller.requests(ReassignmentWithdrawV1.self).first)
        #expect(withdrawn.reason == "a mistake")
        #expect(gateway.caller.calls.last?.partition == PartitionAddress(.receipts, 2))
    }

    private static func confirmed(by acting: OperatorID) -> CompensationV1 {
        CompensationV1(
            proposalId: ProposalID(unchecked: "c4f2a0123456789abcdef0123456789ab"),
            state: .granted,
            bundleId: TestGateway.bundle,
            buyerId: TestGateway.buyer,
            environment: .production,
            productId: ProductID(unchecked: "coins.100"),
            quantity: 1,
            basis: CompensationBasis(kind: .goodwill),
            reason: "ticket 4711",
            proposedBy: OperatorID(unchecked: "oba9876543210"),
            proposedAt: Timestamp(milliseconds: 1),
            confirmedBy: acting,
            confirmedAt: Timestamp(milliseconds: 2)
        )
    }

    @Test(arguments: [
        (#""orderId":"7""#, "orderId"), (#""goodwill":true,"appleOrderId":"MV1""#, "orderId"),
        (#""x":1"#, "x"),
        (#""goodwill":false"#, "orderId"), (#""goodwill":true,"transactionIds":["7"]"#, "transactionIds"),
        (#""appleOrderId":"""#, "appleOrderId"), (#""appleOrderId":"MQ5-LB2J""#, "appleOrderId"),
        (#""goodwill":true,"quantity":0"#, "quantity"),
    ])
    func `are told which field of a compensation is wrong, and nothing is asked`(
        members: String,
        field: String
    ) async throws {
        let gateway = Self.gateway()
        let body =
            #"{"productId":"coins.100","buyerId":"b1","bundleId":"com.example.game","reason":"t",\#(members)}"#
        let response = try await gateway.act(.support, .post, "/compensations", body)
        #expect(response.status == 422 && response.field == field, "\(response.text)")
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `name an order of Apple's in any case, and no transaction`() async throws {
        let gateway = Self.gateway()
        let body = #"""
            {"productId":"coins.100","buyerId":"b1","bundleId":"com.example.game","reason":"ticket 4711",
             "appleOrderId":"mq5lb2jhxy"}
            """#
        #expect(try await gateway.act(.support, .post, "/compensations", body).status == 201)
        let proposed = try #require(gateway.caller.requests(CompensationProposeV1.self).first)
        let order = AppleOrderID(unchecked: "MQ5LB2JHXY")
        #expect(proposed.basis == CompensationBasis(kind: .appleOrder, appleOrderId: order))
        #expect(gateway.caller.requests(OperatorCountV1.self).map(\.isReturned) == [nil])
    }

    @Test func `are told in their description of every member that they may send and are answered`()
        async throws
    {
        let document = try await OpenAPIDocument(forOperators: true)
        let orphan = Self.gateway(heldBy: nil)
        let answers = [
            ("Operator", try await orphan.act(.read, .get, "/operator")),
            ("Acts", try await orphan.act(.read, .get, "/acts")),
            ("Finding", try await orphan.act(.read, .get, "/find?q=7")),
            ("Listing", try await orphan.act(.read, .get, "/lists/open")),
            ("Compensation", try await orphan.act(.support, .post, "/compensations", Self.compensation)),
            ("Reassignment", try await orphan.act(.support, .post, "/assignments", Self.assignment)),
            ("Decision", try await Self.gateway().act(.support, .post, "/reassignments", Self.move)),
            ("Problem", try await orphan.act(.support, .post, "/assignments", "{}")),
        ]
        for (schema, answer) in answers {
            let members = try #require(answer.json, "\(schema)").names
            let described = try #require(document["components", "schemas", schema, "properties"]).names
            #expect(!members.isEmpty && members.isSubset(of: described), "\(schema): \(members)")
        }
        for (schema, body) in [
            ("NewCompensation", Self.compensation), ("NewAssignment", Self.assignment),
            ("NewReassignment", Self.move),
        ] {
            let sent = try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8)).names
            let described = try #require(document["components", "schemas", schema, "properties"]).names
            #expect(sent.isSubset(of: described), "\(schema)")
        }
    }

    @Test func `assign an orphan where it is, and nothing that somebody holds`() async throws {
        let gateway = Self.gateway(heldBy: nil)
        let response = try await gateway.act(.support, .post, "/assignments", Self.assignment)
        #expect(response.status == 200, "\(response.text)")
        let decided = try #require(gateway.caller.requests(ClaimReassignV1.self).last)
        #expect(!decided.isDryRun && decided.onlyOrphan == true)
        #expect(gateway.caller.calls.last?.partition == PartitionAddress(.receipts, 2))
    }

    @Test func `move access by one person, and amounts by two`() async throws {
        let access = Self.gateway("castle", catalog: Self.castle)
        #expect(try await access.act(.support, .post, "/reassignments", Self.move).status == 200)
        #expect(access.caller.requests(ClaimReassignV1.self).last?.isDryRun == false)
        #expect(access.caller.requests(ReassignmentProposeV1.self).isEmpty)

        for product in ["coins.100", "never.heard"] {
            let amounts = Self.gateway(product)
            let response = try await amounts.act(.support, .post, "/reassignments", Self.move)
            #expect(response.status == 201, "\(response.text)")
            #expect(!amounts.caller.requests(ClaimReassignV1.self).contains { !$0.isDryRun })
            let proposed = try #require(amounts.caller.requests(ReassignmentProposeV1.self).first)
            #expect(proposed.proposalId.kind == .move)
            #expect(proposed.proposalId.shard.partition(of: TestGateway.partitions) == 2)
        }
    }

    @Test func `move by two what has given amounts, though the catalog gives access alone by now`()
        async throws
    {
        let gateway = Self.gateway("castle", catalog: Self.castle, given: true)
        let response = try await gateway.act(.support, .post, "/reassignments", Self.move)
        #expect(response.status == 201, "\(response.text)")
        let asked = try #require(gateway.caller.requests(GivenAmountsGetV1.self).first)
        #expect(asked.buyerId == TestGateway.buyer && asked.purchaseId == PurchaseID(unchecked: "7"))
        #expect(gateway.caller.requests(ReassignmentProposeV1.self).count == 1)
    }

    @Test func `cannot be found where no partition knows the purchase`() async throws {
        let gateway = TestGateway { request, _ throws(Problem) in
            if request is ClaimReassignV1 { throw Problem.notFound("not here") } else { nil }
        }
        let response = try await gateway.act(.support, .post, "/assignments", Self.assignment)
        #expect(response.status == 404 && response.field == "transactionId")
    }

    @Test func `are named in the log of requests where their role is refused`() throws {
        let (note, register) = (RequestNote(), TestGateway.operators)
        let headers: HTTPFields = [.authorization: "Bearer key of read"]
        #expect(throws: Problem.roleNeeded(.approve)) {
            try RequestNote.$current.withValue(note) {
                try OperatorAuthentication(register).acting(headers, as: .approve)
            }
        }
        #expect(note.all.caller == "operator \(register.operators[0].id)")
    }

    @Test func `are followed while the gateway runs, and nobody acts where they cannot be read`()
        async throws
    {
        let folder = try TestFolder()
        let home = Home(root: folder.path)
        let follower = OperatorAuthentication(OperatorFollower(of: home))
        let headers: HTTPFields = [.authorization: "Bearer key of read"]
        #expect(throws: Problem.operatorKeyUnknown) { try follower.acting(headers, as: .read) }
        var register = TestGateway.operators
        try JSONEncoder().encode(register).write(to: URL(filePath: home.operatorsFile), options: .atomic)
        #expect(try follower.acting(headers, as: .read).name == "read")
        register.operators[0].revokedAt = Timestamp(milliseconds: 1)
        try JSONEncoder().encode(register).write(to: URL(filePath: home.operatorsFile), options: .atomic)
        #expect(throws: Problem.operatorKeyUnknown) { try follower.acting(headers, as: .read) }
        try Data("{".utf8).write(to: URL(filePath: home.operatorsFile), options: .atomic)
        #expect(throws: Problem.operatorsUnreadable) { try follower.acting(headers, as: .read) }
    }
}
