import Foundation
import Testing

/// From a message's name one can guess every file that it passes, and back.
@Suite struct Messages {
    /// A contract as its file shows it.
    struct Message: Sendable, CustomStringConvertible {
        /// Such as `ClaimHeldV1`.
        let name: String
        let path: String
        let type: String
        let sentBy: String
        let receivedBy: String

        var description: String { name }

        /// `OnClaimHeld`.
        var handler: String { "On" + name.replacing(/V[0-9]+$/, with: "") }
    }

    /// All contracts; a file that declares one without saying who sends and receives it has empty texts here.
    static func messages() throws -> [Message] {
        try House.sources(["Shared/Contracts"]).flatMap { file in
            func text(after pattern: Regex<(Substring, Substring)>) -> String {
                file.text.firstMatch(of: pattern).map { String($0.1) } ?? ""
            }
            return file.text.matches(of: /package struct (\w+): (?:Contract|RequestContract)\b/).map {
                match in
                Message(
                    name: String(match.1),
                    path: file.path,
                    type: text(after: /type: EventType = \x22([^\x22]*)\x22/),
                    sentBy: text(after: /\/\/\/ - Sent by: (.+)/),
                    receivedBy: text(after: /\/\/\/ - Received by: (.+)/)
                )
            }
        }
    }

    @Test func `A contract is alone in the file that has its name, and says who sends and who receives it`()
        throws
    {
        let messages = try Self.messages()
        #expect(messages.count > 20)
        for message in messages {
            #expect(message.path.hasSuffix("/\(message.name).swift"), "\(message.path)")
            #expect(!message.sentBy.isEmpty && !message.receivedBy.isEmpty, "\(message.path)")
        }
    }

    @Test func `What a page shows of a handler stands in the sources, word for word`() throws {
        let page = "Services/README.md"
        let shown = Diagrams.diagrams(in: try House.contents(page), at: page, kind: "swift")
        #expect(!shown.isEmpty)
        let handlers = try House.sources(["Services/**/Handlers"])
        for block in shown {
            let code = block.lines.joined(separator: "\n")
            #expect(handlers.contains { $0.text.contains(code) }, "\(block.place)")
        }
    }

    @Test func `A type on the wire is unlike any other and ends with the version of its contract`() throws {
        let messages = try Self.messages()
        #expect(Set(messages.map(\.type)).count == messages.count)
        for message in messages {
            let version = message.name.firstMatch(of: /V([0-9]+)$/).map { String($0.1) } ?? "none"
            let hasName = message.type.hasPrefix("counterfoil.") && message.type.hasSuffix(".v\(version)")
            #expect(hasName, "\(message)")
            #expect(message.type == message.type.lowercased(), "\(message)")
        }
    }

    @Test(arguments: Floors.statefulServices)
    func `A service has one handler for every message that names it as receiver, and no other`(
        service: String
    ) throws {
        let received = try Self.messages().filter { message in
            message.receivedBy.split(separator: /[^a-z]+/).contains(Substring(service.lowercased()))
        }
        let handlers = try House.sources(["Services/\(service)/**/Handlers"]).map(\.name)
            .filter { $0.hasPrefix("On") }
        #expect(Set(handlers) == Set(received.map(\.handler)))
        let registered = try House.contents("Services/\(service)/\(service)Service.swift")
        for message in received {
            let isRegistered = registered.contains("\(message.name).self")
            #expect(isRegistered, "\(message) is not registered")
        }
    }

    @Test(arguments: Floors.statefulServices + ["Gateway"])
    func `A program sends every message that names it as sender`(program: String) throws {
        let code = try House.sources(["Services/\(program)"]).map(\.code).joined()
        for message in try Self.messages() where !message.path.contains("/Operator/") {
            guard message.sentBy.split(separator: /[^a-z]+/).contains(Substring(program.lowercased())) else {
                continue
            }
            let pattern = try Regex("\\b\(message.name)\\b")
            let isSent = code.contains(pattern)
            #expect(isSent, "\(message) is never sent by \(program)")
        }
    }

    @Test func `A handler names its message in the way it is called`() throws {
        for file in try House.sources(["Services/**/Handlers"]) where file.name.hasPrefix("On") {
            let message = try Regex("Event<\(file.name.dropFirst(2))V[0-9]+>")
            let isHandler = file.code.contains(message) && file.code.contains("struct \(file.name)")
            #expect(isHandler, "\(file.path)")
        }
    }

    @Test func `A request that names its operator is an act, which nobody sends by hand`() throws {
        let acting = try House.contents("Shared/Contracts/Operator/Acts/ActingTypes.swift")
        var found: [Substring] = []
        for file in try House.sources(["Shared/Contracts"]) {
            for match in file.code.matches(of: /package struct (\w+): RequestContract\b/) {
                let rest = file.code[match.range.upperBound...]
                let body = rest[..<(rest.firstRange(of: "\n}")?.lowerBound ?? rest.endIndex)]
                if body.contains(/\bOperatorID\b/) { found.append(match.1) }
            }
        }
        #expect(!found.isEmpty)
        for name in found {
            let isActing = acting.contains("\(name).type")
            #expect(isActing, "\(name) is not in ActingTypes.all")
        }
    }
}
