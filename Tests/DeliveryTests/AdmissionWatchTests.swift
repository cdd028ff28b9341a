import Testing

@testable import Delivery

/// Hosts are letters, and their own keys.
@Suite struct `who waits to be let in` {
    private var watch = AdmissionWatch()

    private func word(_ host: String, admits: String, isIn: Bool = false) -> MemberWord {
        var word = MemberWord(key: host, admits: Set(admits.map(String.init)))
        word.isIn = isIn
        return word
    }

    private func sign(
        _ host: String,
        admits: String,
        isIn: Bool = true,
        counter: Int64 = 1,
        silence: Int64 = 0
    ) -> MemberSign {
        let member = GroupMember("orders", host: host, replica: 1)
        let word = word(host, admits: admits, isIn: isIn)
        return MemberSign(member, counter: counter, word: word, silence: silence)
    }

    @Test mutating func `nobody waits alone, or where all let each other in`() {
        let word = word("a", admits: "ab")
        #expect(watch.obstacle(for: word, among: [], at: 0) == nil)
        #expect(watch.obstacle(for: word, among: [sign("b", admits: "ab")], at: 0) == nil)
    }

    @Test mutating func `a host waits for one that does not let it in, or that it does not let in`() {
        let word = word("c", admits: "abc")
        let others = [sign("b", admits: "ab"), sign("a", admits: "abc")]
        #expect(watch.obstacle(for: word, among: others, at: 0) == .refused(by: "b"))
        let foreign = sign("d", admits: "abcd")
        #expect(watch.obstacle(for: word, among: [foreign], at: 70_000) == .unknown("d"))
    }

    @Test mutating func `of two that begin together, who is let in waits for nobody`() {
        let (old, new) = (sign("a", admits: "a", isIn: false), sign("b", admits: "ab", isIn: false))
        #expect(watch.obstacle(for: old.word, among: [new], at: 0) == nil)
        var other = AdmissionWatch()
        #expect(other.obstacle(for: new.word, among: [old], at: 0) == .refused(by: "a"))
    }

    @Test mutating func `a host that waits for others keeps nobody waiting`() {
        let stranger = sign("d", admits: "d", isIn: false)
        let others = [sign("a", admits: "abcd"), stranger]
        #expect(watch.obstacle(for: word("b", admits: "abcd"), among: others, at: 0) == nil)
    }

    @Test mutating func `a gateway with an older file keeps a newcomer waiting, and a newcomer's nobody`() {
        let owner = sign("a", admits: "ab")
        let older = sign("a", admits: "a", isIn: false)
        let gateway = GroupMember("gateway", host: "a", replica: 0)
        let programs = [owner, MemberSign(gateway, counter: 1, word: older.word)]
        #expect(watch.obstacle(for: word("b", admits: "ab"), among: programs, at: 0) == .refused(by: "a"))
        var other = AdmissionWatch()
        let newcomers = sign("b", admits: "ab", isIn: false)
        #expect(other.obstacle(for: older.word, among: [newcomers], at: 0) == nil)
    }

    @Test mutating func `a host that refused counts for a minute more, or until it says another word`() {
        let word = word("b", admits: "ab")
        let refusal = AdmissionWatch.Obstacle.refused(by: "a")
        #expect(watch.obstacle(for: word, among: [sign("a", admits: "a")], at: 0) == refusal)
        #expect(watch.obstacle(for: word, among: [], at: 59_999) == refusal)
        #expect(watch.obstacle(for: word, among: [], at: 60_000) == nil)
        #expect(watch.obstacle(for: word, among: [sign("a", admits: "a")], at: 61_000) == refusal)
        #expect(watch.obstacle(for: word, among: [sign("a", admits: "ab")], at: 61_500) == nil)
    }

    @Test mutating func `the row of a host that died long ago keeps nobody waiting, until it moves`() {
        let word = word("b", admits: "b")
        let dead = sign("a", admits: "a", silence: 10_000)
        #expect(watch.obstacle(for: word, among: [dead], at: 0) == nil)
        #expect(watch.present([dead, sign("c", admits: "b")]).map(\.member.host) == ["c"])
        let moved = sign("a", admits: "a", counter: 2, silence: 10_000)
        #expect(watch.obstacle(for: word, among: [moved], at: 300) == .refused(by: "a"))
        var other = AdmissionWatch()
        let recent = sign("a", admits: "a", silence: 9_999)
        #expect(other.obstacle(for: word, among: [recent], at: 0) == .refused(by: "a"))
    }

    @Test func `counts who takes part, and who is about to`() {
        let word = word("a", admits: "abcd", isIn: true)
        let about = sign("c", admits: "abcd", isIn: false)
        let refused = sign("d", admits: "abcd", isIn: false)
        let others = [sign("b", admits: "abc"), about, refused]
        #expect(AdmissionWatch.partners(of: word, among: others).map(\.host) == ["b", "c"])
    }
}
