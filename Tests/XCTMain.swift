import Testing

/// What SwiftPM compiles in place of a main function of its own, because the file has this name.
///
/// That one looks for XCTest's tests by an index of every module. There are none, and the index takes a quarter of a
/// debug build's processor time.
@main struct XCTMain {
    static func main() async {
        // `swift test` asks for those of XCTest first.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
