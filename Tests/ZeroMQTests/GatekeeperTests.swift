import Testing

@testable import ZeroMQ

@Suite struct GatekeeperTests {
    private let known: CurvePublicKey
    private let context: SocketContext
    private let gatekeeper: Gatekeeper

    init() throws {
        known = try CurveKeyPair.make().publicKey
        context = try SocketContext()
        gatekeeper = try Gatekeeper(admitting: [known], in: context.handle)
    }

    private func question(_ key: [UInt8]) -> [Frame] {
        ["1.0", "7", "counterfoil", "127.0.0.1", "", "CURVE"].map { Array($0.utf8) } + [key]
    }

    private func status(_ reply: [Frame]) -> String {
        reply.count == 6 ? String(decoding: reply[2], as: UTF8.self) : "\(reply.count) frames"
    }

    @Test func `a configured key is admitted, and the answer names the question`() {
        let reply = gatekeeper.reply(to: question(known.bytes))
        #expect(status(reply) == "200")
        #expect(reply[1] == Array("7".utf8))
        #expect(gatekeeper.strangers == 0)
    }

    @Test func `any other key is told to come later, and counted`() throws {
        let other = try CurveKeyPair.make().publicKey
        for key in [other.bytes, [], Array(known.bytes.dropLast()), known.bytes + [0]] {
            #expect(status(gatekeeper.reply(to: question(key))) == "300")
        }
        #expect(gatekeeper.strangers == 4)
    }

    @Test(arguments: [0, 5])
    func `a question of another version or mechanism is a stranger's`(frame: Int) {
        var question = question(known.bytes)
        question[frame] = Array("NULL".utf8)
        #expect(status(gatekeeper.reply(to: question)) == "300")
        #expect(gatekeeper.strangers == 1)
    }

    @Test func `a question that is too short or too long is a stranger's`() {
        let whole = question(known.bytes)
        for question in [[], Array(whole.dropLast()), whole + [[]]] {
            #expect(status(gatekeeper.reply(to: question)) == "300")
        }
    }
}
