"""The pictures of pages show what commands write of the programs beside them."""

from harness.pages.documents import DOCS, ROOT, load_generator


def test_pictures_of_pages_are_up_to_date() -> None:
    generator = load_generator("generate_pages")
    assert generator.old_pictures() == [], "run `python docs/generate_pages.py`"


def test_each_picture_stands_behind_its_program() -> None:
    generator = load_generator("generate_pages")
    for picture in generator.PICTURES:
        text = (ROOT / picture.document).read_text()
        assert text.index(picture.program) < text.index(f"assets/{picture.name}.png")
        assert (DOCS / "assets" / f"{picture.name}.png").exists()
