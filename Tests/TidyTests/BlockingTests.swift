import Testing

/// Tests that block hold up all async tests of their process, unless they have threads of their own.
@Suite struct Blocking {
    /// What waits in the test's own thread: for sockets, for programs.
    private static var call: Regex<Substring> {
        /turns?\((?:waiting|within):|ProcessEnd\.wait\(|Shell\.run\(|isReached\(by:/
    }

    private static func isHeldUp(_ code: String) -> Bool {
        code.contains("@Test") && code.contains(call) && !code.contains(".ownThread")
    }

    @Test func `A suite that turns a loop or waits for a program has threads of its own`() throws {
        let files = try House.sources(["Tests"])
        #expect(files.contains { $0.code.contains(Self.call) }, "the pattern finds nothing")
        for file in files { #expect(!Self.isHeldUp(file.code), "\(file.path) needs .ownThread") }
    }

    @Test func `One without them is found`() {
        let test = "@Test func one() { router.turn(waiting: 50) }"
        #expect(Self.isHeldUp("@Suite struct Some { \(test) }"))
        #expect(!Self.isHeldUp("@Suite(.ownThread) struct Some { \(test) }"))
        #expect(!Self.isHeldUp("@Suite struct Some { @Test func one() {} }"))
    }
}
