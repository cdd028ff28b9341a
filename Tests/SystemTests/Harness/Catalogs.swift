import Contracts
import Foundation
import TestKit

extension TestHome {
    /// A product as a catalog has it; it grants so much of each, or where there is no amount the thing itself.
    static func product(
        _ id: String,
        _ type: String,
        _ grants: KeyValuePairs<String, Int?>,
        _ more: String = ""
    ) -> String {
        let goods = grants.map { name, amount in
            let number = amount.map { #","amount":\#($0)"# } ?? ""
            return #"{"entitlement":"\#(name)"\#(number)}"#
        }
        let all = goods.joined(separator: ",")
        let rules = more.isEmpty ? "" : "," + more
        return #"{"productId":"\#(id)","type":"\#(type)","grants":[\#(all)]\#(rules)}"#
    }

    /// Writes `catalog.json`.
    func edit(catalog text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(root)/catalog.json"))
    }

    /// Writes `catalog.json` and loads it.
    func load(catalog text: String, _ options: [String] = []) async throws {
        try edit(catalog: text)
        try await counterfoil(["catalog", "load"] + options).succeeded()
    }
}

extension TestGroup {
    /// Runs a group of a new home whose catalog is loaded before it starts.
    static func use<Value>(
        catalog: String,
        partitions: Int = 2,
        webhook: String? = nil,
        _ body: (TestGroup) async throws -> Value
    ) async throws -> Value {
        try await TestHome.use(partitions: partitions, webhook: webhook) { home in
            try await home.load(catalog: catalog)
            return try await use(home: home, body)
        }
    }

    /// Loads another catalog; every program has it two seconds later.
    func load(catalog text: String, _ options: String...) async throws {
        try await home.load(catalog: text, options)
    }

    /// The version that `counterfoil catalog show` prints.
    func catalogVersion() async throws -> String {
        try await counterfoil("catalog", "show", "--json").json(ProductsAnswer.self).version
    }

    /// What a buyer holds.
    func holdings(of buyer: String) async throws -> EntitlementsV1 { try await gateway.holdings(of: buyer) }

    /// What of it is owned, not counted.
    func held(by buyer: String) async throws -> [String] {
        try await holdings(of: buyer).entitlements.map(\.entitlement)
    }
}

/// What the tests read of `GET /v1/products`, and of `counterfoil catalog show --json`.
struct ProductsAnswer: Decodable, Equatable {
    let version: String
    let products: [JSONValue]
}

extension JSONValue {
    /// A member of an object; nil where there is none.
    subscript(member name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
}

/// What the tests read of a problem.
struct ProblemAnswer: Decodable, Equatable {
    let status: Int
    let code: String
    let field: String?
}

extension ProblemAnswer {
    init(_ status: Int, _ code: String, _ field: String?) {
        self.init(status: status, code: code, field: field)
    }
}

extension HTTPReply {
    /// Why a request was refused.
    var problem: ProblemAnswer {
        get throws { try json(ProblemAnswer.self) }
    }
}
